// What:    The page of the HTML report of `sudar check`: styles, layout, and the script that sorts, filters and draws.
// Differs: @DATA@ and @VERSION@ are put in by check_html.cpp.
#pragma once

namespace sudar_cli {

inline constexpr char kCheckPage[] = R"page(<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>Clash report</title>
<style>
:root{--ink:#1a1d21;--soft:#5c6670;--line:#d8dde2;--paper:#fff;--wash:#f4f6f8;--a:#0072b2;--b:#e69f00;--bad:#b3261e;--good:#1b7f4d}
@media(prefers-color-scheme:dark){:root{--ink:#e8eaed;--soft:#9aa4ae;--line:#353b42;--paper:#16191d;--wash:#1f2429;--bad:#ff8a80;--good:#69d39b}}
@media print{:root{--ink:#000;--soft:#444;--line:#bbb;--paper:#fff;--wash:#fff;--bad:#b3261e;--good:#1b7f4d}.tools,.hint{display:none!important}.card{break-inside:avoid}.scroll{overflow:visible}}
*{box-sizing:border-box}
body{margin:0;font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;color:var(--ink);background:var(--paper)}
main{max-width:1180px;margin:0 auto;padding:24px 16px 64px}
h1{font-size:26px;margin:0 0 4px}h2{font-size:18px;margin:36px 0 10px}
.soft{color:var(--soft)}.bad{color:var(--bad)}.good{color:var(--good)}
.facts{display:flex;flex-wrap:wrap;gap:10px;margin:18px 0}
.fact{background:var(--wash);border:1px solid var(--line);border-radius:8px;padding:10px 14px;min-width:110px}
.fact b{display:block;font-size:22px;line-height:1.2}
.scroll{overflow-x:auto}
table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}
th,td{padding:6px 10px;border-bottom:1px solid var(--line);text-align:left;vertical-align:top}
td.n,th.n{text-align:right}
/* Names without a place to break, so that nothing behind them is cut off on paper or a phone */
td.long{overflow-wrap:anywhere;min-width:11ch}
@media(max-width:600px){table{font-size:13px}th,td{padding:6px 4px}.type{padding:0 5px;font-size:12px}.at{display:none}}
#list th{cursor:pointer;white-space:nowrap;position:sticky;top:0;background:var(--paper)}
#list th[aria-sort=ascending]::after{content:" ↑"}#list th[aria-sort=descending]::after{content:" ↓"}
#list tbody tr{cursor:pointer}#list tbody tr:hover,#list tbody tr:focus{background:var(--wash);outline:none}
.tools{display:flex;flex-wrap:wrap;gap:10px;align-items:center;margin:0 0 10px}
input[type=search]{font:inherit;padding:6px 10px;border:1px solid var(--line);border-radius:6px;background:var(--paper);color:inherit;min-width:220px}
.type{display:inline-block;padding:0 8px;border-radius:10px;border:1px solid currentColor;font-size:13px}
#matrix{width:auto}#matrix th,#matrix td{padding:3px 6px;font-size:13px;text-align:center}
#matrix th.row{text-align:right;white-space:nowrap;max-width:220px;overflow:hidden;text-overflow:ellipsis}
#matrix th.col{height:110px;vertical-align:bottom}#matrix th.col span{writing-mode:vertical-rl;transform:rotate(180deg);max-height:100px;overflow:hidden;white-space:nowrap}
#matrix td.hit{background:var(--bad);color:#fff;cursor:pointer;font-weight:600}
#matrix td.self{background:var(--wash)}
.cards{display:grid;grid-template-columns:repeat(auto-fill,minmax(300px,1fr));gap:14px}
.card{border:1px solid var(--line);border-radius:10px;overflow:hidden;background:var(--paper)}
.card canvas{display:block;width:100%;aspect-ratio:4/3;background:var(--wash);touch-action:pan-y;cursor:grab}
.card div{padding:8px 12px}.card .names{font-weight:600;overflow-wrap:anywhere}
.dot{display:inline-block;width:10px;height:10px;border-radius:50%;margin-right:4px}
.target{outline:3px solid var(--a)}
</style></head><body><main>
<h1>Clash report</h1><p class="soft" id="lead"></p>
<div class="facts" id="facts"></div><div id="notes"></div>
<h2>Clashes</h2>
<div class="tools"><input type="search" id="filter" placeholder="Filter by name, type, status" aria-label="Filter">
<span id="types"></span><span class="soft" id="shown"></span></div>
<div class="scroll"><table id="list"><thead><tr></tr></thead><tbody></tbody></table></div>
<h2>Part against part</h2><div class="scroll"><table id="matrix"></table></div>
<h2>Views</h2><p class="hint soft">Drag to turn; pinch, or click and scroll, to zoom; double-click to see the parts whole.
<span class="dot" style="background:#0072b2"></span>first part <span class="dot" style="background:#e69f00"></span>second part
<span class="dot" style="background:#c1121f"></span>contact</p><div class="cards" id="cards"></div>
<div id="states"></div>
<h2>Parts</h2><div class="scroll"><table id="parts"></table></div>
<p class="soft">Sudar @VERSION@. Depth: the length of a shortest translation that takes two bodies apart. All lengths in the data are metres.</p>
</main>
<script id="data" type="application/json">@DATA@</script>
<script>
'use strict';
const D=JSON.parse(document.getElementById('data').textContent),$=s=>document.querySelector(s);
const el=(t,p={},...c)=>{const e=document.createElement(t);for(const k in p)k==='class'?e.className=p[k]:k in e?e[k]=p[k]:e.setAttribute(k,p[k]);e.append(...c);return e};
const num=x=>Math.abs(x)<1e-12?'0':+x.toPrecision(3)+'';
const len=x=>{const s=Math.abs(x);return s===0?'0':s<1e-6?num(x*1e9)+' nm':s<1e-3?num(x*1e6)+' µm':s<1?num(x*1e3)+' mm':num(x)+' m'};
const amount=c=>c.status==='resolved'?'':c.type==='self'?'along '+len(c.contact_length||0):c.type==='duplicate'?'':c.depth!=null?'depth '+(c.depth_lower!=null&&c.depth_lower<.99*c.depth?len(c.depth_lower)+' to ':'')+len(c.depth):c.distance!=null?'distance '+len(c.distance):c.depth_unknown?'depth unknown: '+c.depth_unknown:'';
const order=c=>c.status==='resolved'?-1e300:c.depth!=null?c.depth:c.distance!=null?-c.distance:c.type==='self'?0:1e300;
// Summary
const live=D.clashes.filter(c=>c.status!=='resolved'),byType={};
for(const c of live)byType[c.type]=(byType[c.type]||0)+1;
const k=D.counts,group=n=>n.toLocaleString('en').replace(/,/g,' ');
$('#lead').textContent=`${group(k.objects)} parts, ${group(k.pairs)} pairs; ${group(k.candidate_pairs)} came near each other, ${group(k.tested_pairs)} were tested, ${group(k.skipped_by_rule)} left out by rules. Looked for ${D.options.types.join(', ')}; tolerance ${len(D.options.tolerance)}`+(D.options.types.includes('clearance')?`, clearance ${len(D.options.clearance)}`:'')+'.';
const fact=(n,t,c)=>$('#facts').append(el('div',{class:'fact'},el('b',{class:c||''},String(n)),t));
const sure=D.complete&&!(D.undecided||[]).length;
fact(live.length,live.length===1?'clash':'clashes',live.length?'bad':sure?'good':'');
for(const t in byType)fact(byType[t],t);
if(D.options.baseline)for(const s of['new','persistent','resolved'])fact(D.clashes.filter(c=>c.status===s).length,s);
fact(num((D.ms.load+D.ms.build+D.ms.broad+D.ms.narrow)/1000)+' s','time');
const note=(t,c)=>$('#notes').append(el('p',{class:c||''},t));
if(!D.complete)note('Not complete: not everything was looked at.','bad');
for(const f of D.failures)note('Left out: '+f,'bad');
for(const w of D.warnings)note('Warning: '+w,'bad');
for(const r of D.options.ignore)note(`Rule ${r.rule}: ${group(r.pairs)} pairs left out${r.reason?' ('+r.reason+')':''}`,'soft');
if(D.clashes.length<D.all_clashes)note(`The first ${group(D.clashes.length)} of ${group(D.all_clashes)} clashes are in this file; the JSON has all.`,'bad');
if(D.views<live.length)note(`Views of the ${D.views} worst clashes are in this file; the table has all ${live.length}.`,'soft');
// Table
const heads=[['type','Type'],['a','A'],['b','B'],['amount','Amount'],['point','At (m)']];
if(D.options.baseline)heads.push(['status','Status']);
if(D.states)heads.unshift(['state','State']);
let sortBy='amount',down=true;const hidden=new Set();
for(const[key,text]of heads)$('#list thead tr').append(el('th',{tabIndex:0,onclick:()=>{down=sortBy===key?!down:key==='amount';sortBy=key;fill()},onkeydown:e=>{if(e.key==='Enter')e.currentTarget.click()},class:key==='point'?'at':''},text));
const long=t=>String(t).split(/\s/).some(w=>w.length>16)?'long':'';
for(const t in byType)$('#types').append(el('label',{},el('input',{type:'checkbox',checked:true,onchange:e=>{e.target.checked?hidden.delete(t):hidden.add(t);fill()}}),' '+t+' '));
const value=(c,key)=>key==='state'?c.state:key==='amount'?order(c):key==='point'?(c.point||[0])[0]:c[key]||'';
function shownClashes(){const words=$('#filter').value.toLowerCase().split(/\s+/).filter(Boolean);
 return D.clashes.map((c,i)=>({c,i})).filter(({c})=>!hidden.has(c.type)&&words.every(w=>(c.type+' '+c.a+' '+c.b+' '+(c.status||'')+(c.state!=null?' state '+c.state:'')).toLowerCase().includes(w)))
 .sort((x,y)=>{const p=value(x.c,sortBy),q=value(y.c,sortBy);const o=p<q?-1:p>q?1:x.i-y.i;return down?-o:o})}
function fill(){const rows=shownClashes();$('#list tbody').replaceChildren(...rows.map(({c,i})=>el('tr',{tabIndex:0,onclick:()=>show(i),onkeydown:e=>{if(e.key==='Enter')show(i)}},...heads.map(([key])=>el('td',{class:key==='point'?'at':key==='a'||key==='b'?long(c[key]):key==='amount'?long(amount(c)):''},key==='type'?el('span',{class:'type'},c.type):key==='amount'?amount(c):key==='point'?(c.point?c.point.map(num).join(', '):''):key==='b'&&c.type==='self'?'':key==='state'?String(c.state):c[key]||'')))));
 document.querySelectorAll('#list th').forEach((h,i)=>h.setAttribute('aria-sort',heads[i][0]===sortBy?down?'descending':'ascending':'none'));
 $('#shown').textContent=rows.length+' of '+D.clashes.length;
 const ids=new Set(rows.map(r=>r.i));document.querySelectorAll('.card').forEach(e=>e.hidden=!ids.has(+e.dataset.clash))}
$('#filter').oninput=fill;
function show(i){const e=document.querySelector(`.card[data-clash="${i}"]`);document.querySelectorAll('.target').forEach(x=>x.classList.remove('target'));if(e){e.classList.add('target');e.scrollIntoView({behavior:'smooth',block:'center'})}}
// Matrix, of the parts that clash
const often=new Map();live.forEach(c=>[c.a,c.b].forEach(n=>often.set(n,(often.get(n)||0)+1)));
const mostNames=80,allNames=[...often.keys()],chosen=new Set([...allNames].sort((x,y)=>often.get(y)-often.get(x)).slice(0,mostNames));
const names=allNames.filter(n=>chosen.has(n)),at=new Map(names.map((n,i)=>[n,i]));
if(names.length<allNames.length)$('#matrix').before(el('p',{class:'soft',id:'cut'},`The ${names.length} parts with the most clashes, of ${allNames.length} that have any; the table has all.`));
const cells=names.map(()=>names.map(()=>[]));
live.forEach((c,i)=>{const a=at.get(c.a),b=at.get(c.b);if(a!=null&&b!=null){cells[a][b].push(D.clashes.indexOf(c));if(a!==b)cells[b][a].push(D.clashes.indexOf(c))}});
if(names.length){$('#matrix').append(el('tr',{},el('th'),...names.map(n=>el('th',{class:'col',title:n},el('span',{},n)))));
 names.forEach((n,a)=>$('#matrix').append(el('tr',{},el('th',{class:'row',title:n},n),...names.map((m,b)=>cells[a][b].length?el('td',{class:'hit',title:n+' and '+m+': '+cells[a][b].map(i=>D.clashes[i].type).join(', '),onclick:()=>show(cells[a][b][0])},String(cells[a][b].length)):el('td',{class:a===b?'self':''})))))}
else $('#matrix').append(el('tr',{},el('td',{class:sure?'good':''},sure?'No clash.':'None was found.')));
// Parts, and the states of a robot
if(D.states){const most=2000;$('#states').append(el('h2',{},'States'));const t=el('table');$('#states').append(el('div',{class:'scroll'},t));
 if(D.states.length>most)$('#states').append(el('p',{class:'soft'},`The first ${most} of ${group(D.states.length)} states; the JSON has all.`));
 t.append(el('tr',{},...['State','Name','Clashes','Nearest pair','Distance'].map((x,i)=>el('th',{class:i===2?'n':''},x))));
 D.states.slice(0,most).forEach(s=>t.append(el('tr',{},el('td',{},String(s.state)),el('td',{},s.name||''),el('td',{class:'n'+(s.clashes?' bad':'')},String(s.clashes)),el('td',{class:s.nearest?long(s.nearest.a+' '+s.nearest.b):''},s.nearest?s.nearest.a+' – '+s.nearest.b:''),el('td',{},s.nearest?len(s.nearest.distance):''))))}
$('#parts').append(el('tr',{},...['Part','File','Triangles','Watertight','Units'].map((t,i)=>el('th',{class:i===2?'n':''},t))));
const mostParts=2000;if(k.objects>mostParts)$('#parts').before(el('p',{class:'soft'},`The first ${mostParts} of ${group(k.objects)} parts; the JSON has all.`));
D.inputs.slice(0,mostParts).forEach(p=>$('#parts').append(el('tr',{},el('td',{class:long(p.name)},p.name),el('td',{class:long(p.file)},p.file),el('td',{class:'n'},group(p.triangles)),el('td',{class:p.watertight?'':'bad'},p.watertight?'yes':'no'),el('td',{},p.units))));
// Views
const floats=t=>{const s=atob(t),b=new Uint8Array(s.length);for(let i=0;i<s.length;i++)b[i]=s.charCodeAt(i);return new Float32Array(b.buffer)};
const decoded=new Map(),part=n=>{if(!decoded.has(n))decoded.set(n,floats(D.shapes[n]));return decoded.get(n)};
const sub=(a,b)=>[a[0]-b[0],a[1]-b[1],a[2]-b[2]],dot=(a,b)=>a[0]*b[0]+a[1]*b[1]+a[2]*b[2],cross=(a,b)=>[a[1]*b[2]-a[2]*b[1],a[2]*b[0]-a[0]*b[2],a[0]*b[1]-a[1]*b[0]];
const unit=a=>{const l=Math.hypot(...a)||1;return a.map(x=>x/l)};
class View{
 constructor(canvas,c){this.canvas=canvas;this.c=c;const v=c.view;this.sides=[];
  for(const key of['a','b'])if(v[key+'_part']!=null)this.sides.push(part(v[key+'_part']));else if(v[key])this.sides.push(floats(v[key]));
  this.curves=v.curves?floats(v.curves):new Float32Array();
  let r=0;for(const s of this.sides)for(let i=0;i<s.length;i+=3)r=Math.max(r,Math.hypot(s[i]-v.point[0],s[i+1]-v.point[1],s[i+2]-v.point[2]));
  this.whole=r||1;this.near=Math.min(this.whole,Math.max(v.size*1.1,this.whole*.22));this.radius=this.near;
  // Across the direction of the clash, a little from above and along it
  const n=c.direction?unit(c.direction):[1,0,0],up=Math.abs(n[2])>.8?[0,1,0]:[0,0,1],side=unit(cross(n,up));
  const eye=unit([0,1,2].map(i=>.8*side[i]+.42*up[i]+.42*n[i]));
  this.turn=Math.atan2(eye[1],eye[0]);this.lift=Math.asin(Math.max(-1,Math.min(1,eye[2])));
  this.listen()}
 listen(){const e=this.canvas,down=new Map();let gap=0;
  // One finger turns and lets the page be scrolled; two zoom and tilt. The wheel is the page's until the view was touched.
  e.onpointerdown=p=>{e.setPointerCapture(p.pointerId);down.set(p.pointerId,[p.clientX,p.clientY]);gap=0;this.active=true};
  e.onpointerleave=p=>{if(p.pointerType==='mouse')this.active=false};
  e.onpointermove=p=>{const last=down.get(p.pointerId);if(!last)return;down.set(p.pointerId,[p.clientX,p.clientY]);
   if(down.size===1){this.turn-=(p.clientX-last[0])*.01;this.lift=Math.max(-1.55,Math.min(1.55,this.lift+(p.clientY-last[1])*.01))}
   else{const q=[...down.values()],g=Math.hypot(q[0][0]-q[1][0],q[0][1]-q[1][1]);if(gap)this.radius*=gap/g;gap=g;this.lift=Math.max(-1.55,Math.min(1.55,this.lift+(p.clientY-last[1])*.005))}
   this.later()};
  e.onpointerup=e.onpointercancel=p=>down.delete(p.pointerId);
  e.addEventListener('wheel',p=>{if(!this.active&&!p.ctrlKey)return;p.preventDefault();this.radius*=Math.exp(p.deltaY*.001);this.later()},{passive:false});
  e.ondblclick=()=>{this.radius=this.radius===this.near?this.whole:this.near;this.later()}}
 later(){if(!this.waiting){this.waiting=true;requestAnimationFrame(()=>{this.waiting=false;this.draw()})}}
 draw(){const W=this.canvas.width,H=this.canvas.height,g=this.canvas.getContext('2d'),scale=Math.min(W,H)/2/this.radius;
  const ct=Math.cos(this.turn),st=Math.sin(this.turn),cl=Math.cos(this.lift),sl=Math.sin(this.lift);
  const eye=[cl*ct,cl*st,sl],right=[-st,ct,0],up=[-sl*ct,-sl*st,cl],o=this.c.view.point;
  const light=unit([0,1,2].map(i=>eye[i]+.5*up[i]-.4*right[i]));
  const layers=this.sides.map(t=>this.raster(t,W,H,scale,o,eye,right,up,light));
  const image=g.createImageData(W,H),px=image.data,ink=[[0,114,178],[230,159,0]];
  const dark=matchMedia('(prefers-color-scheme: dark)').matches&&!matchMedia('print').matches,back=dark?[31,36,41]:[244,246,248];
  for(let i=0;i<W*H;i++){let r=back[0],gr=back[1],b=back[2];
   const hits=layers.map((l,s)=>[l.z[i],l.shade[i],s]).filter(h=>h[0]>-Infinity).sort((x,y)=>x[0]-y[0]);
   for(const[,s,side]of hits){const a=hits.length>1&&side===hits[hits.length-1][2]?.68:1;r+=(ink[side][0]*s-r)*a;gr+=(ink[side][1]*s-gr)*a;b+=(ink[side][2]*s-b)*a}
   px[4*i]=r;px[4*i+1]=gr;px[4*i+2]=b;px[4*i+3]=255}
  g.putImageData(image,0,0);
  const at=p=>{const d=sub(p,o);return[W/2+dot(d,right)*scale,H/2-dot(d,up)*scale]};
  g.strokeStyle='#c1121f';g.lineWidth=2.5;g.beginPath();const q=this.curves;
  for(let i=0;i+5<q.length;i+=6){g.moveTo(...at([q[i],q[i+1],q[i+2]]));g.lineTo(...at([q[i+3],q[i+4],q[i+5]]))}g.stroke();
  g.beginPath();g.arc(W/2,H/2,9,0,7);g.stroke()}
 raster(t,W,H,scale,o,eye,right,up,light){const z=new Float32Array(W*H).fill(-Infinity),shade=new Float32Array(W*H),x=[0,0,0],y=[0,0,0],d=[0,0,0];
  for(let i=0;i<t.length;i+=9){
   for(let k=0;k<3;k++){const px=t[i+3*k]-o[0],py=t[i+3*k+1]-o[1],pz=t[i+3*k+2]-o[2];
    x[k]=W/2+(px*right[0]+py*right[1]+pz*right[2])*scale;y[k]=H/2-(px*up[0]+py*up[1]+pz*up[2])*scale;d[k]=px*eye[0]+py*eye[1]+pz*eye[2]}
   const area=(x[1]-x[0])*(y[2]-y[0])-(x[2]-x[0])*(y[1]-y[0]);if(area===0)continue;
   const x0=Math.max(0,Math.floor(Math.min(...x))),x1=Math.min(W-1,Math.ceil(Math.max(...x))),y0=Math.max(0,Math.floor(Math.min(...y))),y1=Math.min(H-1,Math.ceil(Math.max(...y)));
   if(x0>x1||y0>y1)continue;
   const n=unit(cross([t[i+3]-t[i],t[i+4]-t[i+1],t[i+5]-t[i+2]],[t[i+6]-t[i],t[i+7]-t[i+1],t[i+8]-t[i+2]])),s=.45+.55*Math.abs(dot(n,light));
   for(let py=y0;py<=y1;py++)for(let px=x0;px<=x1;px++){
    const u=((x[1]-px)*(y[2]-py)-(x[2]-px)*(y[1]-py))/area,v=((x[2]-px)*(y[0]-py)-(x[0]-px)*(y[2]-py))/area,w=1-u-v;
    if(u<0||v<0||w<0)continue;const depth=u*d[0]+v*d[1]+w*d[2],j=py*W+px;if(depth>z[j]){z[j]=depth;shade[j]=s}}}
  return{z,shade}}}
const seen=new IntersectionObserver(es=>es.forEach(e=>{if(e.isIntersecting){seen.unobserve(e.target);const v=new View(e.target,D.clashes[+e.target.dataset.clash]);e.target.view=v;v.draw()}}),{rootMargin:'600px'});
D.clashes.forEach((c,i)=>{if(!c.view)return;const canvas=el('canvas',{width:440,height:330,title:'Drag to turn'});canvas.dataset.clash=i;
 const card=el('div',{class:'card'},canvas,el('div',{},el('div',{class:'names',style:'padding:0'},(c.state!=null?'State '+c.state+': ':'')+(c.type==='self'?c.a:c.a+' – '+c.b)),el('span',{class:'type'},c.type),' '+amount(c),el('span',{class:'soft'},(c.contact_length?'; contact curve '+len(c.contact_length):'')+(c.view.cut?'; large parts are shown around the contact':''))));
 card.dataset.clash=i;$('#cards').append(card);seen.observe(canvas)});
addEventListener('beforeprint',()=>document.querySelectorAll('canvas').forEach(e=>{if(!e.view){seen.unobserve(e);e.view=new View(e,D.clashes[+e.dataset.clash]);e.view.draw()}}));
fill();
</script></body></html>
)page";

}  // namespace sudar_cli
