import { API_PREFIX } from '../http/routing.ts'
import { guideSections, type GuideFacts } from './guide.ts'
import { html, EMPTY_HTML, htmlPage, proseHtml, scrollableTable, type Html } from './html.ts'
import type { DescribedError, DescribedEvent, Operation, Parameter, Reference, ReferenceGroup } from './reference.ts'
import type { JsonSchema } from './schema.ts'
import { nestedFields, typeText } from './type-text.ts'

const MAX_OPEN_FIELDS = 12
const MAX_SEARCH_CHARACTERS = 100

export function referencePage(
  { groups }: Reference,
  facts: GuideFacts & { readonly version: string },
  search = '',
): string {
  const asked = search.slice(0, MAX_SEARCH_CHARACTERS).trim()
  const shown = asked === '' ? groups : groups.map((group) => filterGroup(group, asked)).filter(isNotEmpty)
  const chapters = asked === '' ? guideSections(facts) : []
  const content = html`<a class="skip" href="#content">Skip to the content</a>
    <header>
      <a class="brand" href="/"><img src="/static/icon.svg" alt="" width="28" height="28" /> Parley</a>
      <form action="/api" role="search">
        <input type="search" name="q" value="${asked}" aria-label="Search the reference" placeholder="Search" />
        <button>Search</button>
      </form>
    </header>
    <div class="columns">
      <nav aria-label="Contents">
        ${chapters.length === 0 ? EMPTY_HTML : titledList('Guide', chapters, (chapter) => anchorLink(chapter.id, html`${chapter.title}`))}
        ${shown.map((group) => groupTableOfContents(group))}
      </nav>
      <main id="content">
        <h1>API reference</h1>
        <p class="lead">Parley ${facts.version}, feature level ${facts.featureLevel}</p>
        ${asked === '' ? EMPTY_HTML : searchResultSummary(asked, shown)}
        ${chapters.map(
          ({ id, title, text }) =>
            html`<section id="${id}">
              <h2>${title}</h2>
              ${text}
            </section> `,
        )}
        ${shown.map((group) => groupSection(group))}
      </main>
    </div>`
  return htmlPage('API reference · Parley', content)
}

function filterGroup(group: ReferenceGroup, search: string): ReferenceGroup {
  const words = search.toLowerCase().split(/\s+/)
  const holds = (text: string): boolean => words.every((word) => text.toLowerCase().includes(word))
  return {
    ...group,
    operations: group.operations.filter((one) => {
      const names = one.parameters.map(({ name }) => name)
      const codes = one.errors.map(({ code }) => code)
      return holds([group.capability, one.id, one.method, one.path, one.summary, ...names, ...codes].join(' '))
    }),
    events: group.events.filter((one) => holds(`${group.capability} ${one.name} ${one.summary}`)),
  }
}

function isNotEmpty({ operations, events }: ReferenceGroup): boolean {
  return operations.length + events.length > 0
}

function searchResultSummary(asked: string, shown: readonly ReferenceGroup[]): Html {
  const count = shown.reduce((sum, { operations, events }) => sum + operations.length + events.length, 0)
  return html`<p role="status">
    ${count === 0 ? 'Nothing' : `${count} ${count === 1 ? 'entry' : 'entries'}`} found for “${asked}”.
    <a href="/api">Show everything</a>
  </p>`
}

function groupTableOfContents({ capability, operations, events }: ReferenceGroup): Html {
  const entries = [
    ...operations.map((one) =>
      anchorLink(one.id, html`${methodBadge(one)} <span>${withLineBreakHints(one.path)}</span>`),
    ),
    ...events.map((one) =>
      anchorLink(
        eventAnchor(one),
        html`<span class="method event">event</span> <span>${withLineBreakHints(one.name)}</span>`,
      ),
    ),
  ]
  return titledList(capability, entries, (entry) => entry)
}

function titledList<Item>(title: string, items: readonly Item[], show: (item: Item) => Html): Html {
  return html`<p class="contents">${title}</p>
    <ul>
      ${items.map((item) => html`<li>${show(item)}</li> `)}
    </ul>`
}

function withLineBreakHints(name: string): Html {
  return html`${name.split(/(?<=[/_])/).map((piece) => html`${piece}<wbr />`)}`
}

function anchorLink(anchor: string, text: Html): Html {
  return html`<a href="#${anchor}">${text}</a>`
}

function eventAnchor({ name }: DescribedEvent): string {
  return `event-${name.replace('/', '-')}`
}

function methodBadge({ method }: Operation): Html {
  return html`<span class="method ${method.toLowerCase()}">${method}</span>`
}

function groupSection({ capability, operations, events }: ReferenceGroup): Html {
  return html`<section class="group" id="capability-${capability}">
    <h2>${capability}</h2>
    ${operations.map((operation) => operationArticle(operation))} ${events.map((event) => eventArticle(event))}
  </section> `
}

const LOGIN_BADGES = { optional: 'login optional', none: 'no login' } as const

function operationArticle(operation: Operation): Html {
  const { id, path, summary, description, since, login, parameters, answer, isStream } = operation
  const rows = parameters.flatMap((parameter) => [
    parameterRow(parameter),
    ...nestedFields(parameter.name, parameter.schema).map((field) => fieldRow(field)),
  ])
  return html`<article id="${id}" aria-labelledby="${id}-title">
    <h3 id="${id}-title">
      <a href="#${id}">${methodBadge(operation)} <code>${path}</code></a>
    </h3>
    <p>
      ${proseHtml(summary)}
      <code class="id">${id}</code>
      ${login === 'required' ? EMPTY_HTML : html`<span class="badge">${LOGIN_BADGES[login]}</span>`}
      ${since === 0 ? EMPTY_HTML : html`<span class="badge">since feature level ${since}</span>`}
    </p>
    ${description === '' ? EMPTY_HTML : html`<p>${proseHtml(description)}</p>`}
    ${rows.length === 0 ? EMPTY_HTML : titledTable('Parameters', rows)} ${answerTable(answer)}
    ${isStream ? STREAM_NOTE : EMPTY_HTML} ${errorList(operation)}
    <pre tabindex="0"><code>${curlExample(operation)}</code></pre>
  </article> `
}

const STREAM_NOTE = html`<p>
  With <code>Accept: text/event-stream</code> the answer is <a href="/api#event-stream">a stream</a>.
</p>`

function answerTable(answer: JsonSchema): Html {
  const rows = fieldRows(answer)
  if (rows.length === 0) return html`<p class="quiet">Responds with only the envelope.</p>`
  const more = typeof answer.additionalProperties === 'object'
  return html`${titledTable('Answer', rows)}
  ${more ? html`<p class="quiet">Additional fields depend on the request.</p>` : EMPTY_HTML}`
}

function errorList({ errors, generalErrors }: Operation): Html {
  const one = ({ code, status }: DescribedError): Html =>
    html`<li>
      <a href="/api#error-${code}"><code>${code}</code></a> ${status}
    </li> `
  const general = html`<details>
    <summary>Errors common to all such requests</summary>
    <ul class="errors">
      ${generalErrors.map(one)}
    </ul>
  </details>`
  if (errors.length === 0) return general
  return html`<h4>Errors</h4>
    <ul class="errors">
      ${errors.map(one)}
    </ul>
    ${general}`
}

function eventArticle(event: DescribedEvent): Html {
  const anchor = eventAnchor(event)
  return html`<article id="${anchor}" aria-labelledby="${anchor}-title">
    <h3 id="${anchor}-title">
      <a href="#${anchor}"><span class="method event">event</span> <code>${event.name}</code></a>
    </h3>
    <p>${proseHtml(event.summary)}</p>
    ${titledTable('Fields', fieldRows(event.schema))}
  </article> `
}

function titledTable(title: string, rows: readonly Html[]): Html {
  const content = scrollableTable(title, ['Name', 'Type', 'Notes'], rows)
  if (rows.length <= MAX_OPEN_FIELDS) {
    return html`<h4>${title}</h4>
      ${content}`
  }
  return html`<details>
    <summary>${title} <span class="quiet">(${rows.length})</span></summary>
    ${content}
  </details>`
}

function parameterRow({ name, place, schema, required, json, aliasOf }: Parameter): Html {
  const notes = [
    ...(place === 'path' ? [html`in the path`] : place === 'header' ? [html`a header`] : []),
    ...(required ? [html`<strong>required</strong>`] : []),
    ...(schema.default === undefined ? [] : [html`default <code>${JSON.stringify(schema.default)}</code>`]),
    ...(aliasOf === undefined ? [] : [html`deprecated name of <code>${aliasOf}</code>`]),
    ...lengthNotes(schema),
  ]
  return fieldTableRow(name, schema, json ? html` <span class="badge">JSON</span>` : EMPTY_HTML, notes)
}

function fieldRows({ properties = {}, required = [] }: JsonSchema): Html[] {
  return Object.entries(properties).flatMap(([name, schema]) => [
    fieldRow({ name, schema, required: required.includes(name) }),
    ...nestedFields(name, schema).map((field) => fieldRow(field)),
  ])
}

function fieldRow({ name, schema, required }: { name: string; schema: JsonSchema; required: boolean }): Html {
  const notes = [
    ...(required ? [] : [html`optional`]),
    ...(schema.default === undefined ? [] : [html`default <code>${JSON.stringify(schema.default)}</code>`]),
    ...lengthNotes(schema),
  ]
  return fieldTableRow(name, schema, EMPTY_HTML, notes)
}

function lengthNotes({ maxLength, maxItems, prefixItems }: JsonSchema): Html[] {
  return [
    ...(typeof maxLength === 'number' ? [html`at most ${maxLength} characters`] : []),
    ...(typeof maxItems === 'number' && prefixItems === undefined ? [html`at most ${maxItems}`] : []),
  ]
}

function fieldTableRow(name: string, schema: JsonSchema, badge: Html, notes: readonly Html[]): Html {
  const described = schema.description === undefined ? notes : [...notes, proseHtml(schema.description)]
  return html`<tr>
    <th scope="row"><code>${name}</code></th>
    <td><code>${typeText(schema)}</code>${badge}</td>
    <td>${described.map((note, index) => (index === 0 ? note : html` · ${note}`))}</td>
  </tr> `
}

function curlExample({ method, path, parameters, login }: Operation): string {
  const examples = parameters.map((parameter) => ({ ...parameter, text: exampleText(parameter) }))
  const inPath = new Map(examples.filter(({ place }) => place === 'path').map(({ name, text }) => [name, text]))
  const fields = examples.filter(({ place, required }) => place !== 'path' && required)
  const url = API_PREFIX + path.replace(/\{(\w+)\}/g, (_, name: string) => inPath.get(name) ?? name)
  const isDefault = method === (fields.length === 0 ? 'GET' : 'POST')
  const first = [
    'curl',
    method === 'GET' && fields.length > 0 ? '-G' : isDefault ? '' : `-X ${method}`,
    login !== 'none' ? '-u "$EMAIL:$API_KEY"' : '',
    `"$PARLEY${url}"`,
  ]
  const lines = fields.map(({ name, text, file }) =>
    file === true ? `-F ${name}=@FILE` : `--data-urlencode ${shellQuoted(`${name}=${text}`)}`,
  )
  return [first.filter((part) => part !== '').join(' '), ...lines].join(' \\\n  ')
}

export function exampleText({ name, schema, json }: Pick<Parameter, 'name' | 'schema' | 'json'>): string {
  const value = exampleValue(name, schema)
  return typeof value === 'string' && !json ? value : JSON.stringify(value)
}

function exampleValue(name: string, schema: JsonSchema): unknown {
  const [given = schema.const ?? schema.enum?.[0] ?? schema.default] = schema.examples ?? []
  if (given !== undefined) return given
  const [option] = schema.anyOf ?? schema.oneOf ?? []
  if (option !== undefined) return exampleValue(name, option)
  if (schema.prefixItems !== undefined) return schema.prefixItems.map((item) => exampleValue(name, item))
  const type = typeof schema.type === 'string' ? schema.type : schema.type?.[0]
  switch (type) {
    case 'integer':
    case 'number':
      return Math.max(schema.minimum ?? 1, 1)
    case 'boolean':
      return true
    case 'array':
      return typeof schema.items === 'object' ? [exampleValue(name.replace(/s$/, ''), schema.items)] : []
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {})
          .filter(([member]) => schema.required?.includes(member))
          .map(([member, memberSchema]) => [member, exampleValue(member, memberSchema)]),
      )
    default:
      return name.toUpperCase()
  }
}

function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}
