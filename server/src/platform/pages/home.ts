import { html, page } from './html.ts'

/** The page `/` of an organization. */
export function homePage(organization: string, version: string): string {
  return page(
    organization,
    html`<main class="home">
      <img src="/static/icon.svg" alt="" width="96" height="96" />
      <h1><bdi>${organization}</bdi></h1>
      <p>This Parley server runs. Connect with a client, or with a program of your own.</p>
      <p><a class="button" href="/api">API reference</a></p>
      <p class="quiet">Parley ${version}</p>
    </main>`,
  )
}

/** The page `/` at a host name that stands for no organization. It does not tell which host names do. */
export function nobodyHomePage(): string {
  return page(
    'No organization here',
    html`<main class="home">
      <img src="/static/icon.svg" alt="" width="96" height="96" />
      <h1>No organization here</h1>
      <p>There is no organization at this address. Check how it is spelled, or ask whoever invited you.</p>
    </main>`,
  )
}
