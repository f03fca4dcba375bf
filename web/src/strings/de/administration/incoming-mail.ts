import type { Administration } from '../../en/administration/index.ts'

export const incomingMail: Administration['incomingMail'] = {
  title: 'E-Mail-Adresse des Kanals',
  more: 'Wer diese Adresse kennt, kann per E-Mail in den Kanal schreiben, solange du dort schreiben kannst. Sie gehört nur dir: Gib sie nur an Personen weiter, denen du vertraust. Automatische E-Mails wie Abwesenheitsnotizen erscheinen nicht im Kanal.',
  show: 'E-Mail-Adresse anzeigen',
  copy: 'E-Mail-Adresse kopieren',
  renew: 'Neue E-Mail-Adresse erstellen',
  renewSure:
    'Neue E-Mail-Adresse erstellen? Alle bisherigen E-Mail-Adressen dieses Kanals gelten dann nicht mehr, auch die der anderen.',
  renewed: 'Neue E-Mail-Adresse erstellt',
  none: 'Dieser Server empfängt keine E-Mails. Der Betreiber kann das einschalten.',
}
