/** What a browser needs to know to install the web client as an application of the device. */
export const MANIFEST = {
  id: '/',
  name: 'Parley',
  short_name: 'Parley',
  description: 'Team chat',
  start_url: '/inbox',
  scope: '/',
  display: 'standalone',
  background_color: '#f6f7f9',
  theme_color: '#1d4e5f',
  categories: ['business', 'productivity', 'social'],
  icons: [
    { src: '/static/icon.svg', type: 'image/svg+xml', sizes: 'any', purpose: 'any' },
    { src: '/static/icon-maskable.svg', type: 'image/svg+xml', sizes: 'any', purpose: 'maskable' },
  ],
  shortcuts: [
    { name: 'Inbox', url: '/inbox' },
    { name: 'Recent', url: '/recent' },
    { name: 'Triage', url: '/triage' },
    { name: 'Search', url: '/search?q=' },
  ],
} as const
