import { once } from 'node:events'
import { configOf, parseCommand, type Command } from './command.ts'
import { firstOrganization, servedAt, welcome } from './first-start.ts'
import { noteServed } from './served.ts'
import { withServer } from './serving.ts'

export const start: Command = {
  usage: `Usage: parley start

Runs the server until Ctrl-C. As long as there is no organization, each start prints a link with which its
owner sets it up in a browser.

Settings come from the environment; docs/operating/settings.md lists them. The most important:
  HOST, PORT           where to listen (127.0.0.1, 8800)
  PARLEY_DATA_DIR      where everything durable lives (data)
  DATABASE_URL         an external PostgreSQL, 15 or newer, instead of the embedded one
  PARLEY_FILES         a bucket for what people upload, instead of a folder there
  DATABASE_REPLICA_URLS
                       replicas of that, at which history and searches are read
  BUS_URL              a NATS server by which several servers on one DATABASE_URL tell each other what they do
  PARLEY_ORGANIZATION, PARLEY_OWNER_NAME, PARLEY_OWNER_EMAIL, PARLEY_OWNER_PASSWORD
                       what the first start makes instead, where nobody opens a link: with a password, the rest may be left out`,

  async run(args, terminal) {
    parseCommand(args, [], {})
    const config = configOf(terminal)
    const stopping = terminal.stopSignal()
    await withServer(
      config,
      async (store) => firstOrganization(store, config, terminal),
      async (parley, organization, database) => {
        terminal.print(`${servedAt(organization, parley)}\n`)
        const [text, forget] = await Promise.all([
          welcome(organization, parley, database, terminal.program),
          noteServed(config, parley.url),
        ])
        terminal.print(text)
        if (!stopping.aborted) await once(stopping, 'abort')
        await forget()
      },
      stopping,
    )
  },
}
