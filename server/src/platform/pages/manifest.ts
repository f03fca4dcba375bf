const SHORTCUT_ICONS = [{ src: '/static/icon-192.png', type: 'image/png', sizes: '192x192' }] as const

export const MANIFEST = {
  id: '/',
  name: 'Parley',
  short_name: 'Parley',
  description: 'Team chat',
  start_url: '/inbox',
  scope: '/',
  display: 'standalone',
  lang: 'en',
  dir: 'ltr',
  background_color: '#f6f7f9',
  theme_color: '#1d4e5f',
  categories: ['business', 'productivity', 'social'],
  icons: [
    { src: '/static/icon.svg', type: 'image/svg+xml', sizes: 'any', purpose: 'any' },
    { src: '/static/icon-maskable.svg', type: 'image/svg+xml', sizes: 'any', purpose: 'maskable' },
    // Not every device supports SVG.
    { src: '/static/icon-192.png', type: 'image/png', sizes: '192x192', purpose: 'any' },
    { src: '/static/icon-512.png', type: 'image/png', sizes: '512x512', purpose: 'any' },
    { src: '/static/icon-maskable-512.png', type: 'image/png', sizes: '512x512', purpose: 'maskable' },
  ],
  shortcuts: [
    { name: 'Inbox', url: '/inbox', icons: SHORTCUT_ICONS },
    { name: 'Recent', url: '/recent', icons: SHORTCUT_ICONS },
    { name: 'Triage', url: '/triage', icons: SHORTCUT_ICONS },
    { name: 'Search', url: '/search?q=', icons: SHORTCUT_ICONS },
  ],
} as const
