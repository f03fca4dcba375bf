import type { Strings } from '../../kernel/strings.ts'

export const app: Strings['app'] = {
  name: 'Parley',
  loading: 'Wird geladen …',
  skipToMessages: 'Zum Inhalt springen',
  failed: 'Das konnte nicht geladen werden.',
  retry: 'Noch einmal versuchen',
  notFound: 'Hier ist nichts',
  notFoundMore: 'Vielleicht stimmt die Adresse nicht, oder du darfst nicht sehen, was hier war.',
  close: 'Schließen',
  cancel: 'Abbrechen',
  undo: 'Rückgängig',
  newBuild: 'Es gibt eine neuere Fassung von Parley.',
  reload: 'Neu laden',
  more: 'Mehr',
}
