import { once } from 'node:events'
import { loadConfig, parseCommand, type Command } from './command.ts'
import { findOrCreateFirstOrganization, startNotice, welcomeText } from './first-start.ts'
import { recordServerSettings } from './served.ts'
import { withServer } from './serving.ts'

export const start: Command = {
  usage: `Usage: parley start

Run the server until Ctrl-C. Until an organization exists, each start prints a link to set it up in a browser.

Settings come from the environment; docs/operating/settings.md lists them. The most important:
  HOST, PORT           address to listen on (127.0.0.1, 8800)
  PARLEY_DATA_DIR      folder for everything durable (data)
  DATABASE_URL         external PostgreSQL, 15 or newer, instead of the embedded one
  PARLEY_FILES         bucket for uploaded files, instead of the data folder
  DATABASE_REPLICA_URLS
                       replicas of that PostgreSQL, for reading history and searching
  BUS_URL              NATS server that connects several servers on one DATABASE_URL
  PARLEY_ORGANIZATION, PARLEY_OWNER_NAME, PARLEY_OWNER_EMAIL, PARLEY_OWNER_PASSWORD
                       create the organization on the first start, without a setup link; only the password
                       is required`,

  async run(args, terminal) {
    parseCommand(args, [], {})
    const config = loadConfig(terminal)
    const stopping = terminal.stopSignal()
    await withServer(
      config,
      async (store) => findOrCreateFirstOrganization(store, config, terminal),
      async (parley, organization, database) => {
        terminal.print(`${startNotice(organization, parley)}\n`)
        const [text, forget] = await Promise.all([
          welcomeText(organization, parley, database, terminal.program),
          recordServerSettings(config, parley.url),
        ])
        terminal.print(text)
        if (!stopping.aborted) await once(stopping, 'abort')
        await forget()
      },
      stopping,
    )
  },
}
