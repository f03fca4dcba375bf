import type { Strings } from '../en/index.ts'

export const pictures: Strings['pictures'] = {
  open: (name) => `Bild ${name} öffnen`,
  missing: (name) => `${name} kann nicht angezeigt werden`,
  viewer: 'Bild',
  tools: 'Bildaktionen',
  position: (index, count) => `${index} von ${count}`,
  shown: (name, index, count) => `${name}, Bild ${index} von ${count}`,
  previous: 'Vorheriges Bild',
  next: 'Nächstes Bild',
  zoomIn: 'Vergrößern',
  zoomOut: 'Verkleinern',
  download: 'Herunterladen',
  toMessage: 'Zur Nachricht',
}
