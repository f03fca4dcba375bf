import type { Administration } from '../../en/administration/index.ts'

export const incomingMail: Administration['incomingMail'] = {
  title: 'E-Mail-Adresse des Kanals',
  more: 'Wer diese Adresse kennt, kann per E-Mail in den Kanal schreiben, solange du dort schreiben darfst. Sie gehört nur dir: Gib sie nur an Leute weiter, denen du vertraust. Was Programme von selbst schicken, etwa Benachrichtigungen und Abwesenheitsnotizen, erscheint nicht im Kanal.',
  show: 'E-Mail-Adresse zeigen',
  copy: 'E-Mail-Adresse kopieren',
  renew: 'Neue E-Mail-Adresse',
  renewSure:
    'Alle E-Mail-Adressen dieses Kanals gelten sofort nicht mehr, auch die, die anderen gezeigt wurden. Wer eine braucht, muss sich die neue zeigen lassen.',
  renewed: 'Neue E-Mail-Adresse erstellt',
  none: 'Dieser Server nimmt keine E-Mails an. Wer ihn betreibt, kann das einschalten.',
}
