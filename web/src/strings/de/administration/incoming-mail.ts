import type { Administration } from '../../en/administration/index.ts'

export const incomingMail: Administration['incomingMail'] = {
  title: 'E-Mail-Adresse des Kanals',
  more: 'Wer diese Adresse kennt, kann per E-Mail in den Kanal schreiben, solange du dort schreiben darfst. Sie gehört nur dir: Gib sie nur an Leute weiter, denen du vertraust.',
  show: 'E-Mail-Adresse zeigen',
  copy: 'E-Mail-Adresse kopieren',
  none: 'Dieser Server nimmt keine E-Mails an. Wer ihn betreibt, kann das einschalten.',
}
