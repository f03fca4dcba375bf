import type { Strings } from '../en/index.ts'

export const pictures: Strings['pictures'] = {
  open: (name) => `Bild ${name} öffnen`,
  missing: (name) => `${name} lässt sich nicht anzeigen`,
  viewer: 'Bild',
  tools: 'Aktionen für das Bild',
  position: (index, count) => `${index} von ${count}`,
  shown: (name, index, count) => `${name}, Bild ${index} von ${count}`,
  previous: 'Vorheriges Bild',
  next: 'Nächstes Bild',
  zoomIn: 'Vergrößern',
  zoomOut: 'Verkleinern',
  download: 'Herunterladen',
  toMessage: 'Zur Nachricht',
}
