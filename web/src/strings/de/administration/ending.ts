import type { Administration } from '../../en/administration/index.ts'

export const ending: Administration['ending'] = {
  title: 'Deaktivierung',
  what: 'Die Organisation deaktivieren',
  more: 'Niemand kann die Organisation mehr benutzen: Alle werden abgemeldet, Programme abgewiesen, nichts wird mehr geschickt. Alles Geschriebene bleibt gespeichert, und wer den Server betreibt, kann die Organisation zurückholen.',
  action: 'Organisation deaktivieren',
  sure: (name) =>
    `Alle werden sofort bei ${name} abgemeldet, und niemand kann sich anmelden. Um fortzufahren, tippe den Namen der Organisation.`,
  typed: 'Name der Organisation',
}
