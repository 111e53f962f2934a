// What:    The style and the script of the HTML report: charts with hover, log axes, series that can be switched off, choices of
//          a workload, tables that sort. Nothing comes from the network.
// Differs: report_html.cpp writes the page around them; the numbers come as JSON in the page.
#pragma once

namespace sudar_bench {

inline constexpr char kReportStyle[] = R"css(
:root{--ink:#1a1d21;--soft:#5c6670;--line:#d8dde2;--paper:#fff;--wash:#f4f6f8;--ours:#0072b2;--peer:#9aa4ae;--bad:#b3261e;--good:#1b7f4d}
@media(prefers-color-scheme:dark){:root{--ink:#e8eaed;--soft:#9aa4ae;--line:#353b42;--paper:#16191d;--wash:#1f2429;--ours:#56b4e9;--peer:#6b7681;--bad:#ff8a80;--good:#69d39b}}
@media print{.tools,nav{display:none!important}figure{break-inside:avoid}}
*{box-sizing:border-box}
body{margin:0;font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;color:var(--ink);background:var(--paper)}
main{max-width:1100px;margin:0 auto;padding:24px 16px 64px}
h1{font-size:26px;margin:0 0 4px}h2{font-size:20px;margin:40px 0 10px;border-bottom:1px solid var(--line)}h3{font-size:16px;margin:26px 0 6px}
.soft{color:var(--soft)}.bad{color:var(--bad);font-weight:600}.good{color:var(--good)}
nav{display:flex;flex-wrap:wrap;gap:4px 14px;margin:10px 0}a{color:var(--ours)}
.facts{display:flex;flex-wrap:wrap;gap:10px;margin:18px 0}
.fact{background:var(--wash);border:1px solid var(--line);border-radius:8px;padding:10px 14px;min-width:110px}
.fact b{display:block;font-size:22px;line-height:1.2}
.scroll{overflow:auto;max-height:560px}
table{border-collapse:collapse;font-variant-numeric:tabular-nums}
th,td{padding:4px 10px;border-bottom:1px solid var(--line);text-align:left;vertical-align:top}
td.n{text-align:right}
th.sort{cursor:pointer;position:sticky;top:0;background:var(--paper);white-space:nowrap}
th[aria-sort=ascending]::after{content:" ↑"}th[aria-sort=descending]::after{content:" ↓"}
.finding{border-left:4px solid var(--line);padding:2px 0 2px 14px;margin:14px 0}
.finding.confirmed{border-color:var(--good)}.finding.refuted{border-color:var(--bad)}
.badge{display:inline-block;border:1px solid currentColor;border-radius:10px;padding:0 8px;font-size:13px;font-weight:600}
figure{margin:14px 0 26px;border:1px solid var(--line);border-radius:10px;padding:10px 12px;position:relative;background:var(--paper)}
figcaption{font-weight:600}
.tools{display:flex;flex-wrap:wrap;gap:6px 14px;align-items:center;margin:4px 0;font-size:14px}
select,button{font:inherit;color:inherit;background:var(--paper);border:1px solid var(--line);border-radius:6px;padding:2px 8px;max-width:100%}
svg{display:block;width:100%;height:auto;touch-action:pan-y}svg text{font-size:12px;fill:var(--soft)}svg text.on{fill:var(--ink)}
.legend{display:flex;flex-wrap:wrap;gap:4px 6px;margin-top:6px}
.legend button{display:flex;align-items:center;gap:6px;font-size:13px}.legend button[aria-pressed=false]{opacity:.35}
.legend i{width:12px;height:12px;border-radius:3px;display:inline-block}
.tip{position:absolute;pointer-events:none;background:var(--ink);color:var(--paper);border-radius:6px;padding:5px 9px;font-size:13px;line-height:1.35;max-width:340px;z-index:2;white-space:pre-line}
details{margin:6px 0}summary{cursor:pointer;font-weight:600}code{background:var(--wash);padding:1px 5px;border-radius:4px}
)css";

inline constexpr char kReportScript[] = R"js(
'use strict';
const D=JSON.parse(document.getElementById('data').textContent),T=Object.fromEntries(D.tables.map(t=>[t.name,t]));
const COLOURS=['#0072b2','#d55e00','#009e73','#cc79a7','#e69f00','#56b4e9','#7a5195','#8c564b','#3b7d23','#bc5090','#444e86','#ff6e54','#5f6b6d','#a05d00','#2f4b7c','#ef5675','#6b8e23','#955196','#1f9e89','#b8860b'];
const W=800,H=380,L=64,R=16,TOP=14,B=44;
const svg=(n,a={},t)=>{const e=document.createElementNS('http://www.w3.org/2000/svg',n);for(const k in a)e.setAttribute(k,a[k]);if(t!==undefined)e.textContent=t;return e};
const html=(n,a={},t)=>{const e=document.createElement(n);for(const k in a)e.setAttribute(k,a[k]);if(t!==undefined)e.textContent=t;return e};
const short=v=>v===0?'0':Math.abs(v)>=1e6||Math.abs(v)<1e-3?v.toExponential(v.toExponential().split('e')[0].length>4?1:0).replace('e+','e'):String(+v.toPrecision(4));
const records=t=>t.rows.map(r=>Object.fromEntries(t.columns.map((c,i)=>[c,r[i]])));
const distinct=(rows,c)=>[...new Set(rows.map(r=>r[c]))];

function scale(lo,hi,from,to,log){
  if(log){const a=Math.log10(lo),b=Math.log10(hi)===a?a+1:Math.log10(hi);return v=>from+(to-from)*(Math.log10(v)-a)/(b-a)}
  const d=hi===lo?1:hi-lo;return v=>from+(to-from)*(v-lo)/d}
function ticks(lo,hi,log){
  const out=[];
  if(log){for(let e=Math.floor(Math.log10(lo));e<=Math.ceil(Math.log10(hi));e++)for(const m of Math.log10(hi/lo)<2.5?[1,2,5]:[1]){const v=m*10**e;if(v>=lo*.999&&v<=hi*1.001)out.push(v)}
    return out.length>12?out.filter((_,i)=>i%Math.ceil(out.length/12)===0):out}
  const raw=(hi-lo)/6||1,p=10**Math.floor(Math.log10(raw)),step=[1,2,5,10].map(m=>m*p).find(s=>s>=raw);
  for(let v=Math.ceil(lo/step)*step;v<=hi+step/1e6;v+=step)out.push(+v.toPrecision(12));return out}
function tip(figure,text,x,y){
  let t=figure.querySelector('.tip');if(!text){if(t)t.remove();return}
  if(!t){t=html('div',{class:'tip'});figure.append(t)}
  t.textContent=text;const w=figure.clientWidth;t.style.left=Math.min(x+14,w-t.offsetWidth-8)+'px';t.style.top=Math.max(4,y-t.offsetHeight-10)+'px'}
function choose(tools,label,values,now,change){
  const s=html('select',{'aria-label':label});for(const v of values){const o=html('option',{value:v},v);if(v===now)o.selected=true;s.append(o)}
  s.onchange=()=>change(s.value);const l=html('label',{},label+' ');l.append(s);tools.append(l)}
function check(tools,label,on,change){
  const l=html('label'),c=html('input',{type:'checkbox'});c.checked=on;c.onchange=()=>change(c.checked);l.append(c,' '+label);tools.append(l)}
function legend(figure,names,colour,off,draw){
  const box=html('div',{class:'legend'});
  for(const n of names){const b=html('button',{type:'button','aria-pressed':String(!off.has(n))});const i=html('i');i.style.background=colour(n);b.append(i,n||'all');
    b.onclick=()=>{off.has(n)?off.delete(n):off.add(n);draw()};box.append(b)}
  if(names.length>3){const all=html('button',{type:'button'},off.size?'show all':'hide all');all.onclick=()=>{if(off.size)off.clear();else names.forEach(n=>off.add(n));draw()};box.append(all)}
  figure.append(box)}

// 'column' or 'column=first choice'
function prepare(c,rows,state){return c.choices.map(x=>{const [k,v]=x.split('=');state.at[k]=v??distinct(rows,k)[0];return k})}

function lines(figure,c){
  const rows=records(T[c.table]),off=new Set(),state={x:c.log_x,y:c.log_y,at:{}};
  const keys=prepare(c,rows,state)
  const names=distinct(rows,c.series||'');const colour=n=>COLOURS[names.indexOf(n)%COLOURS.length];
  const draw=()=>{
    figure.replaceChildren(html('figcaption',{},c.title));const tools=html('div',{class:'tools'});figure.append(tools);
    for(const k of keys)choose(tools,k,distinct(rows,k),state.at[k],v=>{state.at[k]=v;draw()});
    check(tools,'log '+c.x,state.x,v=>{state.x=v;draw()});check(tools,'log '+c.y,state.y,v=>{state.y=v;draw()});
    const mine=rows.filter(r=>keys.every(k=>r[k]===state.at[k]));
    const here=names.filter(n=>mine.some(r=>(r[c.series]??'')===(n??'')));
    const points=mine.map(r=>({n:r[c.series],x:+r[c.x],y:r[c.y]===''?NaN:+r[c.y],r})).filter(p=>isFinite(p.x)&&isFinite(p.y)&&(!state.x||p.x>0)&&(!state.y||p.y>0));
    const shown=points.filter(p=>!off.has(p.n));
    const s=svg('svg',{viewBox:`0 0 ${W} ${H}`,role:'img','aria-label':c.title});figure.append(s);
    if(shown.length){
      let x0=Math.min(...shown.map(p=>p.x)),x1=Math.max(...shown.map(p=>p.x)),y0=Math.min(...shown.map(p=>p.y)),y1=Math.max(...shown.map(p=>p.y));
      if(!state.y)y0=Math.min(0,y0);const levels=c.levels.filter(l=>l.y>=y0/3&&l.y<=y1*3);for(const l of levels){y1=Math.max(y1,l.y);if(!state.y||l.y>0)y0=Math.min(y0,l.y)}
      if(x0===x1){x0=state.x?x0/2:x0-1;x1=state.x?x1*2:x1+1}if(y0===y1)y1=y0?y0*2:1;
      const X=scale(x0,x1,L,W-R,state.x),Y=scale(y0,y1,H-B,TOP,state.y);
      for(const v of ticks(x0,x1,state.x)){s.append(svg('line',{x1:X(v),x2:X(v),y1:TOP,y2:H-B,stroke:'var(--line)'}));s.append(svg('text',{x:X(v),y:H-B+16,'text-anchor':'middle'},short(v)))}
      for(const v of ticks(y0,y1,state.y)){s.append(svg('line',{x1:L,x2:W-R,y1:Y(v),y2:Y(v),stroke:'var(--line)'}));s.append(svg('text',{x:L-6,y:Y(v)+4,'text-anchor':'end'},short(v)))}
      s.append(svg('text',{class:'on',x:(L+W-R)/2,y:H-6,'text-anchor':'middle'},c.x));s.append(svg('text',{class:'on',x:14,y:H/2,'text-anchor':'middle',transform:`rotate(-90 14 ${H/2})`},c.y));
      for(const l of levels){s.append(svg('line',{x1:L,x2:W-R,y1:Y(l.y),y2:Y(l.y),stroke:'var(--bad)','stroke-dasharray':'6 4'}));s.append(svg('text',{x:L+6,y:Y(l.y)-4},l.label))}
      for(const n of here){if(off.has(n))continue;const p=shown.filter(q=>q.n===n).sort((a,b)=>a.x-b.x);
        s.append(svg('polyline',{points:p.map(q=>X(q.x)+','+Y(q.y)).join(' '),fill:'none',stroke:colour(n),'stroke-width':2,'stroke-linejoin':'round'}));
        if(p.length<=40)for(const q of p)s.append(svg('circle',{cx:X(q.x),cy:Y(q.y),r:3,fill:colour(n)}))}
      const dot=svg('circle',{r:6,fill:'none',stroke:'var(--ink)','stroke-width':2,visibility:'hidden'});s.append(dot);
      s.onpointermove=e=>{const b=s.getBoundingClientRect(),k=W/b.width,mx=(e.clientX-b.left)*k,my=(e.clientY-b.top)*k;let best=null,d=1e9;
        for(const p of shown){const q=(X(p.x)-mx)**2+(Y(p.y)-my)**2;if(q<d){d=q;best=p}}
        if(!best||d>3600){dot.setAttribute('visibility','hidden');tip(figure);return}
        dot.setAttribute('cx',X(best.x));dot.setAttribute('cy',Y(best.y));dot.setAttribute('visibility','visible');
        const f=figure.getBoundingClientRect();tip(figure,Object.entries(best.r).filter(([,v])=>v!=='').map(([n,v])=>n+': '+v).join('\n'),e.clientX-f.left,e.clientY-f.top)};
      s.onpointerleave=()=>{dot.setAttribute('visibility','hidden');tip(figure)}
    }
    if(c.series)legend(figure,here,colour,off,draw)};
  draw()}

function bars(figure,c){
  const rows=records(T[c.table]),off=new Set(),state={log:c.log_y,at:{}};
  const keys=prepare(c,rows,state);
  const names=c.series?distinct(rows,c.series):[''];const colour=n=>COLOURS[names.indexOf(n)%COLOURS.length];
  const draw=()=>{
    figure.replaceChildren(html('figcaption',{},c.title));const tools=html('div',{class:'tools'});figure.append(tools);
    for(const k of keys)choose(tools,k,distinct(rows,k),state.at[k],v=>{state.at[k]=v;draw()});
    check(tools,'log '+c.y,state.log,v=>{state.log=v;draw()});
    const mine=rows.filter(r=>keys.every(k=>r[k]===state.at[k])&&!off.has(c.series?r[c.series]:'')&&r[c.y]!==''&&isFinite(+r[c.y]));
    drawBars(figure,mine.map(r=>({label:c.series?(r[c.x]!==undefined&&c.x!==c.series?r[c.x]+', ':'')+r[c.series]:r[c.x],v:+r[c.y],colour:colour(c.series?r[c.series]:''),r})),state.log,c.y);
    if(c.series)legend(figure,names,colour,off,draw)};
  draw()}
function drawBars(figure,items,log,unit){
  const h=22,left=Math.min(430,Math.max(90,...items.map(i=>i.label.length*7.2+12))),height=items.length*h+30;
  const s=svg('svg',{viewBox:`0 0 ${W} ${height}`,role:'img'});figure.append(s);
  const good=items.filter(i=>isFinite(i.v)&&(!log||i.v>0));if(!good.length)return;
  let hi=Math.max(...good.map(i=>i.to??i.v)),lo=log?Math.min(...good.map(i=>i.v))/1.6:0;if(!(hi>lo))hi=lo+1;
  const X=scale(lo,hi,left,W-80,log);
  for(const v of ticks(lo,hi,log)){s.append(svg('line',{x1:X(v),x2:X(v),y1:4,y2:height-24,stroke:'var(--line)'}));s.append(svg('text',{x:X(v),y:height-8,'text-anchor':'middle'},short(v)))}
  s.append(svg('text',{class:'on',x:W-4,y:height-8,'text-anchor':'end'},unit));
  items.forEach((i,k)=>{
    const y=4+k*h,g=svg('g'),text=i.label.length*7.2+12>left?i.label.slice(0,Math.floor((left-12)/7.2)-1)+'…':i.label;
    g.append(svg('rect',{x:0,y,width:W,height:h,fill:'transparent'}));g.append(svg('text',{class:'on',x:left-6,y:y+15,'text-anchor':'end'},text));
    if(isFinite(i.v)&&(!log||i.v>0)){const x=X(i.v);g.append(svg('rect',{x:left,y:y+4,width:Math.max(1.5,x-left),height:h-8,rx:2,fill:i.colour}));
      if(i.to>i.v){const t=X(i.to);g.append(svg('line',{x1:x,x2:t,y1:y+h/2,y2:y+h/2,stroke:'var(--ink)'}));g.append(svg('line',{x1:t,x2:t,y1:y+6,y2:y+h-6,stroke:'var(--ink)'}))}
      g.append(svg('text',{class:'on',x:Math.max(x,i.to>i.v?X(i.to):0)+6,y:y+15},short(i.v)))}
    else g.append(svg('text',{x:left+4,y:y+15},i.trouble||'no value'));
    g.onpointermove=e=>{const f=figure.getBoundingClientRect();tip(figure,Object.entries(i.r).filter(([,v])=>v!=='').map(([n,v])=>n+': '+v).join('\n'),e.clientX-f.left,e.clientY-f.top)};
    g.onpointerleave=()=>tip(figure);s.append(g)})}

function map(figure,c){
  const rows=records(T[c.table]),state={at:{}},keys=prepare(c,rows,state);
  const names=distinct(rows,c.series);const colour=n=>COLOURS[names.indexOf(n)%COLOURS.length];
  const draw=()=>{
    figure.replaceChildren(html('figcaption',{},c.title));const tools=html('div',{class:'tools'});figure.append(tools);
    for(const k of keys)choose(tools,k,distinct(rows,k),state.at[k],v=>{state.at[k]=v;draw()});
    const mine=rows.filter(r=>keys.every(k=>r[k]===state.at[k])),num=(a,b)=>a-b;
    const xs=distinct(mine,c.x).sort(num),ys=distinct(mine,c.y).sort(num),h=Math.min(60,300/ys.length),height=ys.length*h+46;
    const s=svg('svg',{viewBox:`0 0 ${W} ${height}`,role:'img'});figure.append(s);const w=(W-90)/xs.length;
    ys.forEach((y,j)=>s.append(svg('text',{x:84,y:4+(ys.length-1-j)*h+h/2+4,'text-anchor':'end'},y)));
    xs.forEach((x,i)=>s.append(svg('text',{x:90+i*w+w/2,y:ys.length*h+20,'text-anchor':'middle'},x)));
    s.append(svg('text',{class:'on',x:90+(W-90)/2,y:height-6,'text-anchor':'middle'},c.x));s.append(svg('text',{class:'on',x:14,y:ys.length*h/2,'text-anchor':'middle',transform:`rotate(-90 14 ${ys.length*h/2})`},c.y));
    for(const r of mine){const i=xs.indexOf(r[c.x]),j=ys.length-1-ys.indexOf(r[c.y]),g=svg('g');
      g.append(svg('rect',{x:91+i*w,y:5+j*h,width:w-2,height:h-2,rx:3,fill:colour(r[c.series])}));
      const t=svg('text',{x:90+i*w+w/2,y:4+j*h+h/2+4,'text-anchor':'middle'},r[c.series]);t.style.fill='#fff';t.style.fontWeight=600;t.style.fontSize=Math.min(12,(w-6)/(.62*Math.max(1,r[c.series].length)))+'px';g.append(t);
      g.onpointermove=e=>{const f=figure.getBoundingClientRect();tip(figure,Object.entries(r).map(([n,v])=>n+': '+v).join('\n'),e.clientX-f.left,e.clientY-f.top)};g.onpointerleave=()=>tip(figure);s.append(g)}
    const box=html('div',{class:'legend'});for(const n of names){const b=html('button',{type:'button',disabled:''});const i=html('i');i.style.background=colour(n);b.append(i,n);box.append(b)}figure.append(box)};
  draw()}

function race(figure,name){
  const rows=records(T[name]),loads=distinct(rows,'workload'),state={load:loads[0],log:false};
  const draw=()=>{
    figure.replaceChildren(html('figcaption',{},name));const tools=html('div',{class:'tools'});figure.append(tools);
    if(loads.length>1)choose(tools,'workload',loads,state.load,v=>{state.load=v;draw()});else tools.append(html('span',{class:'soft'},loads[0]));
    check(tools,'log ms',state.log,v=>{state.log=v;draw()});tools.append(html('span',{class:'soft'},'least time; the whisker ends at the median'));
    drawBars(figure,rows.filter(r=>r.workload===state.load).map(r=>({label:r.contestant+(r.version?' '+r.version:''),v:r.ms_min===''?NaN:+r.ms_min,to:+r.ms_median,trouble:r.trouble,colour:r.version?'var(--peer)':'var(--ours)',r})),state.log,'ms')};
  draw()}

function table(details){
  const t=T[details.dataset.table],box=html('div',{class:'scroll'}),e=html('table'),head=html('tr');let by=-1,up=true;
  const number=t.columns.map((_,i)=>t.rows.every(r=>r[i]===''||isFinite(+r[i]))),body=html('tbody');
  const fill=()=>{const rows=[...t.rows];if(by>=0)rows.sort((a,b)=>(number[by]?(+a[by])-(+b[by]):a[by].localeCompare(b[by]))*(up?1:-1));
    body.replaceChildren(...rows.map(r=>{const tr=html('tr');r.forEach((v,i)=>tr.append(html('td',number[i]?{class:'n'}:{},v)));return tr}))};
  t.columns.forEach((c,i)=>{const th=html('th',{class:'sort',tabindex:0},c);th.onclick=()=>{up=by===i?!up:true;by=i;for(const o of head.children)o.removeAttribute('aria-sort');th.setAttribute('aria-sort',up?'ascending':'descending');fill()};
    th.onkeydown=k=>{if(k.key==='Enter')th.click()};head.append(th)});
  const thead=html('thead');thead.append(head);e.append(thead,body);box.append(e);fill();details.append(box)}

const KINDS={lines,bars,map};
// Pictures and tables are made when they come into view
const seen=new IntersectionObserver(list=>{for(const x of list)if(x.isIntersecting){seen.unobserve(x.target);start(x.target)}},{rootMargin:'600px'});
function start(f){if(f.dataset.started)return;f.dataset.started='1';
  if(f.dataset.race){if(T[f.dataset.race])race(f,f.dataset.race);return}
  const c=D.charts.find(c=>c.name===f.dataset.chart);if(c&&T[c.table])KINDS[c.kind](f,c)}
for(const f of document.querySelectorAll('figure'))seen.observe(f);
for(const d of document.querySelectorAll('details[data-table]'))d.ontoggle=()=>{if(d.open&&!d.dataset.started){d.dataset.started='1';table(d)}};
)js";

}  // namespace sudar_bench
