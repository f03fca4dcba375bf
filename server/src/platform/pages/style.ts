export const STYLE_SHEET = `
:root {
  color-scheme: light dark;
  --ground: #ffffff;
  --raised: #f4f6f6;
  --line: #d9e0e1;
  --text: #1c2729;
  --quiet: #566668;
  --link: #12607a;
  --accent: #1d4e5f;
  --get: #1b6e4a;
  --post: #8a4b00;
  --patch: #6a3d9a;
  --delete: #a3262a;
  --event: #2b5797;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #12191b;
    --raised: #1b2528;
    --line: #324044;
    --text: #e3eaeb;
    --quiet: #9db0b3;
    --link: #7cc7e0;
    --accent: #7cc7e0;
    --get: #74d3a6;
    --post: #f0b168;
    --patch: #c9a6ee;
    --delete: #f59a9c;
    --event: #9cbef2;
  }
}
* { box-sizing: border-box; }
html { scroll-padding-top: 4.5rem; }
body { margin: 0; background: var(--ground); color: var(--text); font: 1rem/1.55 system-ui, sans-serif; }
a { color: var(--link); }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
code, pre { font-family: ui-monospace, "Cascadia Mono", "DejaVu Sans Mono", Menlo, monospace; font-size: 0.875em; }
.skip { position: absolute; left: -99rem; }
.skip:focus { left: 1rem; top: 1rem; z-index: 2; background: var(--ground); padding: 0.5rem; }
.quiet { color: var(--quiet); }

header {
  position: sticky; top: 0; z-index: 1; display: flex; gap: 1rem; align-items: center; justify-content: space-between;
  padding: 0.6rem 1.5rem; background: var(--ground); border-bottom: 1px solid var(--line);
}
.brand { display: flex; gap: 0.6rem; align-items: center; color: var(--text); font-weight: 650; text-decoration: none; }
form { display: flex; gap: 0.4rem; min-width: 0; }
input, button {
  font: inherit; color: inherit; padding: 0.3rem 0.7rem; border: 1px solid var(--line); border-radius: 6px;
  background: var(--raised); min-width: 0;
}
input { width: 18rem; }
button { cursor: pointer; flex: none; }

.columns { display: grid; grid-template-columns: 19rem minmax(0, 1fr); max-width: 90rem; margin: 0 auto; }
nav {
  position: sticky; top: 3.4rem; align-self: start; height: calc(100vh - 3.4rem); overflow-y: auto;
  padding: 1rem 0.75rem 3rem 1.5rem; border-right: 1px solid var(--line); font-size: 0.875rem;
}
nav ul { list-style: none; margin: 0 0 1rem; padding: 0; }
nav li a { display: flex; gap: 0.5rem; align-items: baseline; padding: 0.15rem 0; color: inherit; text-decoration: none; }
nav li a:hover { color: var(--link); text-decoration: underline; }
nav li span:last-child { overflow-wrap: break-word; min-width: 0; }
.contents { margin: 0 0 0.25rem; font-weight: 650; text-transform: capitalize; }

main { padding: 1.5rem 2.5rem 6rem; min-width: 0; }
main > section { max-width: 58rem; }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 0.5rem 0; }
h2 { font-size: 1.35rem; margin: 2.5rem 0 0.5rem; }
.group > h2 { text-transform: capitalize; border-bottom: 2px solid var(--line); padding-bottom: 0.3rem; }
h3 { font-size: 1.05rem; margin: 0; }
h3 a { color: inherit; text-decoration: none; display: flex; flex-wrap: wrap; gap: 0.6rem; align-items: baseline; }
h3 code { font-size: 1em; overflow-wrap: anywhere; }
h4, summary { font-size: 0.9rem; font-weight: 650; margin: 1rem 0 0.35rem; }
summary { cursor: pointer; }
.lead { margin-top: 0; color: var(--quiet); }
article { margin: 1.25rem 0; padding: 1.1rem 1.25rem; border: 1px solid var(--line); border-radius: 10px; }
article:target { border-color: var(--link); box-shadow: 0 0 0 1px var(--link); }
article p { margin: 0.4rem 0; }
.id { color: var(--quiet); }

.method { flex: none; font: 700 0.72rem/1.4 ui-monospace, monospace; min-width: 3.4rem; }
.method.get { color: var(--get); }
.method.post { color: var(--post); }
.method.patch, .method.put { color: var(--patch); }
.method.delete { color: var(--delete); }
.method.event { color: var(--event); }
.badge {
  display: inline-block; padding: 0 0.45em; border: 1px solid var(--line); border-radius: 99px; background: var(--raised);
  color: var(--quiet); font-size: 0.78rem; white-space: nowrap;
}

.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: 0.9rem; }
th, td { text-align: left; vertical-align: baseline; padding: 0.3rem 0.9rem 0.3rem 0; border-top: 1px solid var(--line); }
thead th { border-top: 0; color: var(--quiet); font-weight: 500; font-size: 0.8rem; }
tbody th { font-weight: 600; }
td code { overflow-wrap: break-word; }
article tbody th { width: 30%; }
article td:nth-child(2) { width: 35%; min-width: 10rem; }
pre + .scroll { margin-top: 1rem; }
.errors { display: flex; flex-wrap: wrap; gap: 0.2rem 1.4rem; list-style: none; margin: 0; padding: 0; font-size: 0.9rem; }
.errors li { color: var(--quiet); }
pre {
  margin: 0.9rem 0 0; padding: 0.8rem 1rem; overflow-x: auto; border-radius: 8px; background: var(--raised);
  border: 1px solid var(--line); line-height: 1.5;
}
pre code { font-size: 0.85rem; }

.home { max-width: 34rem; margin: 12vh auto 0; padding: 1.5rem; text-align: center; }
.home h1 { overflow-wrap: anywhere; }

.public { max-width: 48rem; margin: 0 auto; padding: 1.5rem 1.5rem 4rem; overflow-wrap: anywhere; }
.public h1 { font-size: 1.5rem; }
.public img, .public video { max-width: 100%; height: auto; }
.public pre, .public .scroll { max-width: 100%; margin: 0.4rem 0; overflow-wrap: normal; }
.public article td { width: auto; min-width: 0; }
.public summary p { display: inline; }
.public blockquote { margin: 0.4rem 0; padding-inline-start: 0.8rem; border-inline-start: 3px solid var(--line); }
.public .list { padding: 0; list-style: none; }
.public .list li { padding: 0.5rem 0; border-bottom: 1px solid var(--line); }
.public .list p { margin: 0; }
.public time { color: var(--quiet); font-size: 0.85rem; }
.public .emoji { vertical-align: text-bottom; }
.by { display: flex; flex-wrap: wrap; gap: 0.25rem 0.6rem; align-items: center; }
.by img { border-radius: 6px; }
.parts { position: static; display: flex; flex-wrap: wrap; gap: 1rem; height: auto; padding: 1rem 0; border: 0; font-size: 1rem; }

@media (max-width: 56rem) {
  .columns { display: block; }
  nav { position: static; height: auto; max-height: 32vh; border-right: 0; border-bottom: 1px solid var(--line); }
  main { padding: 1rem 1rem 4rem; }
  header { padding: 0.6rem 1rem; }
  input { width: 100%; }
}
@media print {
  header, nav { display: none; }
  .public article { break-inside: avoid; }
}
`
