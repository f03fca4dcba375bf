import type { Strings } from '../en/index.ts'

export const errors: Strings['errors'] = {
  generic: 'Das hat nicht geklappt. Versuch es noch einmal.',
  network: 'Der Server ist nicht erreichbar. Prüfe deine Verbindung.',
  codes: {
    USER_DEACTIVATED: 'Dein Konto ist deaktiviert.',
    REALM_DEACTIVATED: 'Diese Organisation ist deaktiviert.',
    RATE_LIMIT_HIT: 'Zu viele Anfragen. Warte kurz und versuch es dann noch einmal.',
    NONEXISTENT_SUBDOMAIN: 'Unter dieser Adresse gibt es keine Organisation.',
  },
  deactivatedBecause: (comment) => `Dein Konto ist deaktiviert. Nachricht der Administration: ${comment}`,
}
