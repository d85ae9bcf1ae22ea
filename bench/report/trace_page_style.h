#pragma once
// What a kernel's page adds to the style sheet of all pages.

namespace tandem::command {

inline constexpr const char* kTracePageStyle = R"css(
.pair{display:grid;gap:0 36px;grid-template-columns:minmax(0,1fr)}
@media(min-width:1100px){.pair{grid-template-columns:minmax(0,1fr) minmax(0,1fr)}#b{order:-1}}
.step h3{margin:26px 0 6px}.step h4{margin:18px 0 4px}
pre,.source th+td{font:12px/1.5 ui-monospace,Consolas,'DejaVu Sans Mono',monospace;white-space:pre-wrap;overflow-wrap:anywhere}
pre{margin:6px 0}
.step .scroll :is(td,th):nth-child(2){white-space:normal;text-align:left;min-width:150px}
.step .scroll :is(td,th){padding-right:7px;font-size:12px}
@media(max-width:760px){h1{font-size:20px}h2{font-size:18px}}
.code{container-type:inline-size}
.source{width:100%;font-size:12px}
.source tr{border:0}.source :is(th,td){padding:0 8px 0 0;line-height:1.5}
.source th{text-align:right;color:var(--dim)}.source thead th:nth-child(2),.source th+td{text-align:left}
.source td:nth-last-child(9)~td:last-child{white-space:normal}
.source label,.go label{cursor:pointer}.source label:hover,.go label:hover{text-decoration:underline}
.source [id]{background:var(--card);--mark:transparent}
.source [id] tr:first-child th{box-shadow:inset 4px 0 var(--mark)}
.source .bad{color:inherit;background:color-mix(in srgb,var(--bad) 13%,var(--page))}
.source .says{font:inherit;color:var(--bad);padding-bottom:4px}
/* a narrow column: the figures of a line stand under it, with their names */
@container(max-width:899px){
.source,.source tbody{display:block}.source thead{display:none}
.source tr{display:flex;flex-wrap:wrap;padding-left:36px}
.source th{flex:0 0 36px;margin-left:-36px}.source th+td{flex:0 0 100%}
.source td:empty{display:none}
.source td{text-align:left}.source td:nth-last-child(9){min-width:84px}
.source td:nth-last-child(9)~td::before{color:var(--dim)}
.source td:nth-last-child(9)~td:nth-last-child(8)::before{content:"requests "}
.source td:nth-last-child(9)~td:nth-last-child(7)::before{content:"sectors "}
.source td:nth-last-child(9)~td:nth-last-child(6)::before{content:"lines "}
.source td:nth-last-child(9)~td:nth-last-child(5)::before{content:"efficiency "}
.source td:nth-last-child(9)~td:nth-last-child(4)::before{content:"ways "}
.source td:nth-last-child(9)~td:nth-last-child(3)::before{content:"extra "}
.source td:nth-last-child(9)~td:nth-last-child(2)::before{content:"lanes "}
.source td:nth-last-child(9)~td:nth-last-child(1)::before{content:"rounds "}
}
.w{--cost:var(--card)}
.legend span{display:inline-block;margin-right:14px;font-size:13px}
.legend i{display:inline-block;width:14px;height:14px;margin-right:5px;vertical-align:-2px;background:var(--cost)}
.rounds{container-type:inline-size;display:flex;flex-wrap:wrap;gap:4px 3px;align-items:center;padding:8px 0;font-size:13px;
background:var(--page);border-top:1px solid var(--rule)}
.rounds>input{appearance:none;width:11px;height:18px;margin:0;background:var(--cost,var(--other));cursor:pointer}
.rounds>input:checked{outline:2px solid var(--ink)}.rounds>input:focus-visible{outline:3px solid var(--best)}
.rounds>.after{margin-left:9px}.rounds>label{margin-right:6px;cursor:pointer}
.rounds>article{order:1;flex:0 0 100%;min-width:0;display:none}
.rounds>input:checked+article{display:block}
.rounds:has(>.all:checked)>article{display:block}
.rounds:has(>.all:checked)>.after+article{border-top:1px dashed var(--dim)}
.rounds p{max-width:none}.go{float:right}.go label{margin-left:12px;color:var(--best)}
.lanes{list-style:none;margin:0 0 6px;padding:0;display:grid;gap:1px;grid-template-columns:repeat(8,minmax(0,1fr));counter-reset:lane -1}
@container(min-width:560px){.lanes{grid-template-columns:repeat(16,minmax(0,1fr))}}
@container(min-width:1200px){.lanes{grid-template-columns:repeat(32,minmax(0,1fr))}}
.lanes li{counter-increment:lane;background:var(--cost);color:#000;text-align:center;font-size:12px;line-height:1.25;padding:1px 0;
min-height:42px;overflow-wrap:anywhere}
.lanes li::before{content:counter(lane);display:block;font-size:10px;color:#333}
.lanes small{display:block;font-size:10px;color:#333}
.lanes .w::before{color:var(--dim)}
@media(prefers-color-scheme:dark){.lanes li:not(.w),.legend i,.rounds>input{filter:brightness(.85)}}
@media(min-height:640px){
.rounds:not(:has(>.all:checked)){position:sticky;bottom:0;max-height:50vh;overflow:auto}
.rounds:not(:has(>.all:checked)) pre{white-space:nowrap;overflow:hidden;text-overflow:ellipsis}}
@media print{.rounds{position:static!important}.rounds>article{display:block}}
)css";

}  // namespace tandem::command
