import type { Administration } from '../../en/administration/index.ts'

export const ending: Administration['ending'] = {
  title: 'Deaktivierung',
  what: 'Organisation deaktivieren',
  more: 'Meldet alle ab und sperrt den Zugriff. Nichts wird gelöscht; der Betreiber kann sie reaktivieren.',
  action: 'Organisation deaktivieren',
  sure: (name) =>
    `${name} deaktivieren? Alle werden sofort abgemeldet, und niemand kann sich mehr anmelden. Gib zum Fortfahren den Namen der Organisation ein.`,
  typed: 'Name der Organisation',
}
