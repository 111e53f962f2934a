// What:    What the adapters of the peers offer, one small file each. A peer that was not found when this was built is
//          named by its part with Session::missing_peer.
#pragma once
