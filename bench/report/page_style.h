#pragma once
// The style sheets of the pages: what all share, and what a report adds. Pictures take their colours from its names.

namespace tandem::command {

inline constexpr const char* kPageStyle = R"css(
:root{color-scheme:light dark;--page:#fff;--ink:#1b2026;--dim:#57606a;--rule:#dfe3e8;--card:#f5f7f9;--best:#0a58ca;
--vendor:#ad4e00;--other:#98a2ad;--best-area:#0a58ca1c;--vendor-area:#ad4e001c;--bad:#b3261e}
@media(prefers-color-scheme:dark){:root{--page:#0f1419;--ink:#e3e7eb;--dim:#9aa5b1;--rule:#2b333d;--card:#181e25;
--best:#6cb2ff;--vendor:#f2a65a;--other:#66717d;--best-area:#6cb2ff2e;--vendor-area:#f2a65a2e;--bad:#ff8a80}
.paper svg{filter:invert(.93) hue-rotate(180deg)}.warp svg{filter:brightness(.85)}}
*{box-sizing:border-box}
body{font:15px/1.5 Arial,Helvetica,sans-serif;max-width:1352px;margin:0 auto;padding:16px;background:var(--page);
color:var(--ink);overflow-wrap:break-word}
h1{font-size:26px;margin:8px 0 0}h2{font-size:21px;margin:48px 0 4px;border-top:2px solid var(--ink);padding-top:10px}
h3{font-size:16px;margin:0 0 10px}h4{font-size:14px;margin:0 0 6px}
p{margin:4px 0;max-width:90ch}a{color:inherit}
.dim,figcaption,small,nav{color:var(--dim)}nav a{margin-right:14px}
figure{margin:32px 0}figcaption{margin-top:8px;font-size:14px;max-width:100ch}
svg{display:block;max-width:100%;height:auto;font-family:inherit}path:not([fill]){fill:none}
.own{color:var(--best)}.lib{color:var(--vendor)}.bad{color:var(--bad)}
table{border-collapse:collapse;font-variant-numeric:tabular-nums;font-size:13px}
th,td{padding:3px 10px 3px 0;text-align:right;white-space:nowrap;vertical-align:top}
th:first-child,td:first-child{text-align:left}thead th,th{color:var(--dim);font-weight:400}
tbody tr{border-top:1px solid var(--rule)}
.scroll{overflow-x:auto;max-width:100%}.paper svg{max-width:none}
details{margin:6px 0}summary{cursor:pointer}details .scroll{margin:6px 0 14px}
)css";

inline constexpr const char* kReportStyle = R"css(
.grid{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(290px,100%),1fr));gap:22px 26px}
.grid svg{width:100%;max-width:420px}
.wide svg{width:100%;max-width:540px}
.tiles{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(172px,100%),1fr));gap:12px}
.tile{display:block;background:var(--card);border-radius:6px;padding:10px 12px;text-decoration:none;line-height:1.35}
.tile b,.tile small,.tile span{display:block}.tile strong{font-size:21px;display:block;margin-top:2px}
.tile svg{margin:6px 0}
.cases{display:grid;grid-template-columns:minmax(150px,auto) 1fr;gap:3px 14px;font-size:13px}
.cases h4{grid-column:1/-1;margin:10px 0 0}.cases div{display:flex;flex-wrap:wrap;gap:3px}
.cases i{font-style:normal;padding:0 6px;border-radius:3px;background:var(--card);white-space:nowrap}
.cases i small{margin-right:5px;font-size:11px}
.cases .w{background:var(--best-area);box-shadow:inset 0 -2px var(--best)}
.cases .l{background:var(--vendor-area);box-shadow:inset 0 2px var(--vendor)}
.ladders{display:grid;gap:30px}
.ladder{width:100%;table-layout:fixed}.ladder td,.ladder th{padding:4px 12px 4px 0}
/* columns: step, bar, time, × before, samples, error, why */
.ladder th{width:8%}.ladder th:nth-child(1){width:15%}.ladder th:nth-child(2){width:24%}
.ladder th:nth-child(5){width:128px}.ladder th:nth-child(6){width:6%}
.ladder td:nth-child(1){white-space:normal;overflow-wrap:anywhere}
.ladder td:nth-child(2){border-right:1px solid var(--dim);padding:7px 0 0}
.ladder i{display:block;height:11px;background:var(--other);min-width:1px}
.ladder .best i{background:var(--best)}
.ladder .vendor i{border:1px solid var(--vendor);background:repeating-linear-gradient(135deg,var(--vendor) 0 2px,transparent 2px 6px)}
.ladder td:nth-child(5){padding-right:12px}
.ladder svg{width:110px;height:14px;margin:3px 0 0 auto;stroke:var(--dim);background:linear-gradient(var(--rule),var(--rule)) center/1px 100% no-repeat}
.ladder :is(td,th):nth-child(7){text-align:left;white-space:normal;width:auto;color:var(--dim);line-height:1.35}
.ladder b{font-weight:400;color:var(--ink)}
.ladder .best td:first-child{color:var(--best);font-weight:700}.ladder .vendor td:first-child{color:var(--vendor);font-weight:700}
.warps{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(300px,100%),1fr));gap:22px 26px;align-items:start}
.two{display:grid;grid-template-columns:1fr 1fr;gap:6px 12px;align-items:start}
.warp svg{width:100%}.warp p{margin:3px 0 0;font-size:13px;line-height:1.35}.warp small{display:block}
.changes svg{margin-top:4px}.changes .up{color:var(--best)}.changes .down{color:var(--bad)}
.phone{display:none;font-weight:400}
@media(max-width:760px){.phone{display:block}
.ladder,.ladder tbody{display:block}.ladder thead{display:none}
.ladder tr{display:grid;grid-template-columns:1fr auto auto;padding:6px 0}
.ladder td{padding:0 0 2px;border:0;grid-row:1}.ladder td:nth-child(4){padding-left:10px}
.ladder td:nth-child(2){grid-row:2;grid-column:1/-1;padding:2px 0}
.ladder td:nth-child(5){grid-row:3;text-align:left}.ladder svg{margin-left:0}
.ladder td:nth-child(6){grid-row:3;grid-column:2/-1}.ladder td:nth-child(6)::before{content:"error ";color:var(--dim)}
.ladder td:nth-child(7){grid-row:4;grid-column:1/-1}
.changes :is(td:nth-child(2),td:nth-child(6)){display:none}}
)css";

}  // namespace tandem::command
