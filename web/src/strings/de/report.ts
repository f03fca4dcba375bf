import type { Strings } from '../en/index.ts'

export const report: Strings['report'] = {
  report: 'Melden',
  title: 'Eine Nachricht melden',
  why: 'Warum meldest du diese Nachricht?',
  reasons: {
    spam: 'Spam',
    harassment: 'Belästigung',
    inappropriate: 'Unangemessener Inhalt',
    norms: 'Verstößt gegen die Regeln hier',
    other: 'Ein anderer Grund',
  },
  explanation: 'Erkläre es',
  explanationOptional: 'Erkläre es, wenn du magst',
  who: 'Die Moderation sieht diese Nachricht, deinen Namen und was du hier schreibst.',
  send: 'Meldung senden',
  sent: 'Die Moderation wird deine Meldung sehen',
}
