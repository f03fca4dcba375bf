import type { Strings } from '../en/index.ts'

export const report: Strings['report'] = {
  report: 'Melden',
  title: 'Nachricht melden',
  why: 'Warum meldest du diese Nachricht?',
  reasons: {
    spam: 'Spam',
    harassment: 'Belästigung',
    inappropriate: 'Unangemessener Inhalt',
    norms: 'Verstößt gegen die Regeln hier',
    other: 'Sonstiges',
  },
  explanation: 'Begründung',
  explanationOptional: 'Begründung (optional)',
  who: 'Die Moderation sieht diese Nachricht, deinen Namen und deine Begründung.',
  send: 'Meldung senden',
  sent: 'Meldung an die Moderation gesendet',
}
