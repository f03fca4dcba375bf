import type { Strings } from '../en/index.ts'

export const todo: Strings['todo'] = {
  label: (title) => `Aufgabenliste: ${title}`,
  untitled: 'Aufgabenliste',
  title: 'Titel',
  editTitle: 'Titel bearbeiten',
  newTask: 'Neue Aufgabe',
  description: 'Beschreibung',
  add: 'Aufgabe hinzufügen',
  save: 'Speichern',
  isThere: 'Diese Aufgabe steht schon auf der Liste.',
}
