import { createMailReceiver } from './capabilities/incoming-mail/actions/taking.ts'
import type { Config } from './config.ts'
import { listenForMail, type IncomingMailListener } from './platform/mail/incoming.ts'
import type { ServerFacts } from './platform/server-facts.ts'
import type { Database } from './platform/db/database.ts'
import type { SharedLimits } from './platform/limits/shared.ts'
import type { Logs, UseLog } from './platform/log/logs.ts'
import type { Logger } from './platform/logger.ts'

export async function openIncomingMail(
  { HOST, PARLEY_INCOMING_MAIL_DOMAIN: domain, PARLEY_INCOMING_MAIL_PORT: port }: Config,
  { database, logs }: { readonly database: Database; readonly logs: Logs },
  server: ServerFacts,
  limits: SharedLimits,
  logger: Logger,
  report: (error: unknown) => void,
): Promise<IncomingMailListener | undefined> {
  if (domain === undefined) return undefined
  const useLog: UseLog = (id, work) => logs.use(id, work)
  const taker = createMailReceiver({ domain, reads: database.reads, server, limits, useLog, logger })
  return listenForMail({ host: HOST, port }, taker, report)
}
