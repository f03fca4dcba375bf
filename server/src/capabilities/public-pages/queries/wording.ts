export interface PageWording {
  readonly channels: string
  readonly noMessages: string
  readonly pages: string
  readonly previous: string
  readonly next: string
  readonly page: (number: number) => string
  readonly reply: string
  readonly signIn: string
  readonly feed: string
}

const ENGLISH: PageWording = {
  channels: 'Public channels',
  noMessages: 'Messages will appear here',
  pages: 'Pages',
  previous: 'Previous page',
  next: 'Next page',
  page: (number) => `Page ${number}`,
  reply: 'Sign in to reply',
  signIn: 'Sign in',
  feed: 'Feed',
}

const GERMAN: PageWording = {
  channels: 'Öffentliche Kanäle',
  noMessages: 'Nachrichten erscheinen hier',
  pages: 'Seiten',
  previous: 'Vorherige Seite',
  next: 'Nächste Seite',
  page: (number) => `Seite ${number}`,
  reply: 'Zum Antworten anmelden',
  signIn: 'Anmelden',
  feed: 'Feed',
}

/** Returns the page's own texts, and their language. */
export function pageWording(language: string): { readonly language: string; readonly words: PageWording } {
  return language.startsWith('de') ? { language: 'de', words: GERMAN } : { language: 'en', words: ENGLISH }
}
