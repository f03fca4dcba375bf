import { html, page } from './html.ts'

/** Builds a page that does not reveal which hosts have an organization. */
export function noOrganizationPage(): string {
  return page(
    'No organization here',
    html`<main class="home">
      <img src="/static/icon.svg" alt="" width="96" height="96" />
      <h1>No organization here</h1>
      <p>No organization exists at this address. Check the spelling, or ask the person who invited you.</p>
      <p>If you just started this server, open the setup link that it printed. Restart the server to get a new link.</p>
    </main>`,
  )
}
