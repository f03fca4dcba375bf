import type { Administration } from '../../en/administration/index.ts'

export const health: Administration['health'] = {
  title: 'Server',
  all: 'Wie es dem Server geht',
  isWell: 'Alles in Ordnung',
  problems: {
    database_read_only: 'Die Datenbank lässt sich nicht beschreiben, also lässt sich nichts ändern.',
    database_unreachable: 'Die Datenbank ist nicht zu erreichen.',
    database_silent: 'Die Datenbank antwortet nicht.',
    events_behind: 'Dieser Prozess sieht nicht alles, was andere geändert haben.',
  },
  version: 'Version',
  began: 'Läuft seit',
  node: 'Node.js',
  database: 'Datenbank',
  isUnknown: 'nichts bekannt',
  databaseSays: (version, milliseconds) => `PostgreSQL ${version}, hat in ${milliseconds} ms geantwortet`,
  mail: 'E-Mail',
  isConfigured: 'wird verschickt',
  mailMore: 'wird nicht verschickt: PARLEY_SMTP_URL ist nicht gesetzt',
  waiting: {
    emails: 'E-Mails, die warten',
    exports: 'Datenexporte, die gemacht werden',
    reminders: 'Erinnerungen, die sich verspäten',
    scheduled_messages: 'Geplante Nachrichten, die sich verspäten',
    webhook_deliveries: 'Nachrichten, die auf ausgehende Webhooks warten',
  },
  nothing: 'keine',
  waits: (count, since) => `${count}, die erste seit ${since}`,
  again: 'Noch einmal nachsehen',
}
