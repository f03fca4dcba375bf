import { html, page } from './html.ts'

/** Builds the page for hosts without an organization. Does not reveal which hosts have one. */
export function noOrganizationPage(): string {
  return page(
    'No organization here',
    html`<main class="home">
      <img src="/static/icon.svg" alt="" width="96" height="96" />
      <h1>No organization here</h1>
      <p>There is no organization at this address. Check how it is spelled, or ask the person who invited you.</p>
      <p>
        Whoever has just started this server sets its organization up by the link that the server has printed. The next
        start prints another one.
      </p>
    </main>`,
  )
}
