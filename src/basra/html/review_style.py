"""The styles of a review's page: light and dark, phone and desk, and paper."""

_LIGHT = """
--ink:#1d2320;--faint:#5d6863;--ground:#f6f4ee;--card:#fffefa;--edge:#dedacd;--grid:#e7e3d8;
--s0:#1d5c43;--s1:#b0522a;--s2:#3a5fb0;--s3:#8a3f8f;
--inaccuracy:#c99700;--mistake:#e0701b;--blunder:#c8102e;--luck:#3a7ca5;--rest:#9aa39e;--area:#1d5c4322;
"""

_DARK = """
--ink:#e9ece8;--faint:#a3aca7;--ground:#141816;--card:#1d2320;--edge:#343c38;--grid:#2b322f;
--s0:#58b68c;--s1:#e08a5e;--s2:#7fa2ee;--s3:#c987cd;
--inaccuracy:#e2b93b;--mistake:#f08b3e;--blunder:#f0566e;--luck:#6fb1da;--rest:#7d8782;--area:#58b68c22;
"""

_ALL = """
.basra-review{LIGHT color:var(--ink);background:var(--ground);line-height:1.5;font-size:16px;
font-family:system-ui,'Segoe UI',Roboto,'Noto Sans','Noto Sans Arabic','DejaVu Sans',sans-serif;
-webkit-print-color-adjust:exact;print-color-adjust:exact;-webkit-text-size-adjust:100%}
.basra-review.page{min-height:100vh}
.basra-review main{max-width:860px;margin:0 auto;padding:20px 16px 32px;box-sizing:border-box;
text-align:start}
.basra-review h1{font-size:1.7em;line-height:1.2;margin:.2em 0 .1em}
.basra-review h2{font-size:1.25em;margin:1.6em 0 .5em;line-height:1.25}
.basra-review h3{font-size:1em;margin:0 0 .4em}
.basra-review p{margin:.35em 0}
.basra-review .headline{font-size:1.05em;color:var(--faint)}
.basra-review .faint{color:var(--faint);font-size:.92em}
.basra-review .card{background:var(--card);border:1px solid var(--edge);border-radius:14px;
padding:14px 16px;margin:0 0 14px;box-sizing:border-box}
.basra-review .seats{display:grid;grid-template-columns:repeat(auto-fit,minmax(260px,1fr));gap:14px;
margin-top:16px}
.basra-review .seats .card{margin:0}
.basra-review .seats h2{margin:0 0 .2em;font-size:1.15em}
.basra-review .figure b{font-size:1.6em;font-variant-numeric:tabular-nums}
.basra-review .chips{display:flex;flex-wrap:wrap;gap:6px}
.basra-review .chip{padding:.1em .6em;border-radius:1em;border:1px solid var(--edge);
font-size:.86em}
.basra-review .contents{list-style:none;padding:10px 16px}
.basra-review .contents li{margin:.2em 0}
.basra-review .contents a{color:inherit}
.basra-review .dot.swing{background:var(--luck)}
.basra-review .dot{display:inline-block;width:.7em;height:.7em;border-radius:50%}
.basra-review .dot.s0{background:var(--s0)}.basra-review .dot.s1{background:var(--s1)}
.basra-review .dot.s2{background:var(--s2)}.basra-review .dot.s3{background:var(--s3)}
.basra-review .legend{display:flex;flex-wrap:wrap;gap:4px 16px;font-size:.86em;color:var(--faint)}
.basra-review svg.chart{display:block;width:100%;height:auto;overflow:visible}
.basra-review .narrow{display:none}
.basra-review .t{font-size:12px;fill:var(--ink);font-variant-numeric:tabular-nums}
.basra-review .t.faint{fill:var(--faint);font-size:11px}
.basra-review .t.name{font-weight:600}
.basra-review .t.s0{fill:var(--s0)}.basra-review .t.s1{fill:var(--s1)}
.basra-review .t.s2{fill:var(--s2)}.basra-review .t.s3{fill:var(--s3)}
.basra-review .grid{stroke:var(--grid);stroke-width:1}
.basra-review .zero{stroke:var(--faint);stroke-width:1}
.basra-review .deal{stroke:var(--edge);stroke-width:1;stroke-dasharray:3 3}
.basra-review .area{fill:var(--area);stroke:none}
.basra-review .lead{fill:none;stroke-width:2;stroke-linejoin:round}
.basra-review .lead.s0{stroke:var(--s0)}.basra-review .lead.s1{stroke:var(--s1)}
.basra-review .lead.s2{stroke:var(--s2)}.basra-review .lead.s3{stroke:var(--s3)}
.basra-review .mark{stroke:var(--card);stroke-width:1.5}
.basra-review .cost{fill:var(--rest)}
.basra-review .bar.luck{fill:var(--luck)}.basra-review .bar.rest{fill:var(--rest)}
.basra-review .bar.result{fill:var(--ink)}
.basra-review .bar.marks{fill:var(--mistake)}
.basra-review svg .inaccuracy{fill:var(--inaccuracy)}.basra-review svg .mistake{fill:var(--mistake)}
.basra-review svg .blunder{fill:var(--blunder)}
.basra-review .dot.inaccuracy{background:var(--inaccuracy)}
.basra-review .dot.mistake{background:var(--mistake)}
.basra-review .dot.blunder{background:var(--blunder)}
.basra-review .chip.inaccuracy,.basra-review .verdict.inaccuracy{border-color:var(--inaccuracy)}
.basra-review .chip.mistake,.basra-review .verdict.mistake{border-color:var(--mistake)}
.basra-review .chip.blunder,.basra-review .verdict.blunder{border-color:var(--blunder)}
.basra-review .moment{display:grid;grid-template-columns:minmax(0,auto) minmax(0,1fr);gap:10px 20px;
break-inside:avoid}
.basra-review .moment .table{max-width:400px}
.basra-review .what{display:inline-block;padding:.1em .7em;border-radius:1em;font-weight:600;
border:2px solid var(--luck)}
.basra-review .what.inaccuracy{border-color:var(--inaccuracy)}
.basra-review .what.mistake{border-color:var(--mistake)}
.basra-review .what.blunder{border-color:var(--blunder)}
.basra-review .choice ul{margin:.1em 0 .5em;padding-inline-start:1.2em;font-size:.92em}
.basra-review .signs{font-size:.72em}
.basra-review .opinion{border-inline-start:3px solid var(--edge);padding-inline-start:.7em;
font-size:.92em;color:var(--faint)}
.basra-review details summary{cursor:pointer;font-weight:600}
.basra-review table{border-collapse:collapse;width:100%;font-size:.9em}
.basra-review th{font-weight:600;color:var(--faint);font-size:.9em;text-align:start;
padding-block:.3em;padding-inline-end:.6em}
.basra-review td{border-top:1px solid var(--grid);padding-block:.3em;padding-inline-end:.6em;
vertical-align:top;
text-align:start;font-variant-numeric:tabular-nums}
.basra-review .cost-figure{white-space:nowrap}
.basra-review .verdict{color:var(--faint)}
.basra-review .verdict.inaccuracy,.basra-review .verdict.mistake,.basra-review .verdict.blunder{
color:var(--ink);border-bottom:2px solid;white-space:nowrap}
.basra-review footer{margin-top:24px;font-size:.88em;color:var(--faint)}
@media (prefers-color-scheme:dark){.basra-review{DARK}}
@media (max-width:640px){
.basra-review main{padding:14px 10px 24px}
.basra-review .card{padding:12px}
.basra-review .narrow{display:block}.basra-review .wide{display:none}
.basra-review .moment{grid-template-columns:minmax(0,1fr)}
.basra-review .moment .table{max-width:100%}
.basra-review table{font-size:.84em}
}
@media print{
.basra-review{LIGHT background:#fff;font-size:12px}
.basra-review main{max-width:none;padding:0}
.basra-review .narrow{display:none}.basra-review .wide{display:block}
.basra-review .card{break-inside:avoid}
.basra-review details.card{break-inside:auto}
.basra-review tr{break-inside:avoid}
.basra-review details::details-content{content-visibility:visible;display:block;height:auto}
.basra-review h2{break-after:avoid}
}
"""

STYLE = _ALL.replace("LIGHT", _LIGHT.strip()).replace("DARK", _DARK.strip())
"""One style sheet; every rule is for what is inside .basra-review alone"""
