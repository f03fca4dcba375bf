import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { backdateMessages } from '../capabilities/messages/actions/change.ts'
import { loginLinkUrl } from '../capabilities/sessions/actions/index.ts'
import type { Config } from '../config.ts'
import { ROLE } from '../kernel/actor.ts'
import { loadConfig, parseCommand, toCliError, type Command } from './command.ts'
import { createChannels, playAtOnce, playLive, readScenes } from './demo/play.ts'
import { createCast, type Cast } from './demo/stage.ts'
import { COMMUNITY_CONVERSATIONS } from './demo/talk/community.ts'
import { COMPANY_CONVERSATIONS } from './demo/talk/company.ts'
import { DIRECT_CONVERSATIONS } from './demo/talk/direct.ts'
import { ENGINEERING_CONVERSATIONS } from './demo/talk/engineering.ts'
import { LIVE_CONVERSATIONS } from './demo/talk/later.ts'
import { BOT_CONVERSATIONS } from './demo/talk/machines.ts'
import { PRODUCT_CONVERSATIONS } from './demo/talk/product.ts'
import { firstNameOf, MEMBERS, ORGANIZATION_NAME, OWNER, DEMO_CHANNELS } from './demo/team.ts'
import { curlCommandLines } from './paste.ts'
import { generatePassword } from './password.ts'
import { withServer } from './serving.ts'

const CONVERSATION_DAYS = 5

export const demo: Command = {
  usage: `Usage: parley demo

Run a throwaway organization with people, channels, and messages, in which people and bots keep talking until Ctrl-C.
Prints how to sign in as each person, with links for the browser. The data is in a temporary folder and deleted on exit.

HOST and PORT set the address: 127.0.0.1:8800, or another port if PORT is not set and 8800 is taken.`,

  async run(args, terminal) {
    parseCommand(args, [], {})
    const stopping = terminal.stopSignal()
    const making = mkdtemp(join(tmpdir(), 'parley-demo-'))
    const directory = await toCliError(making, `The temporary folder ${tmpdir()} (TMPDIR) cannot be used`)
    try {
      const given = loadConfig(terminal, {
        PARLEY_DATA_DIR: directory,
        // Keeps the demo from using services that are configured for another server.
        DATABASE_URL: '',
        DATABASE_REPLICA_URLS: '',
        BUS_URL: '',
        PARLEY_FILES: '',
        PARLEY_SMTP_URL: '',
        PARLEY_INCOMING_MAIL_DOMAIN: '',
        PARLEY_ROOT_DOMAIN: '',
        PARLEY_WEB_PUBLIC_CHANNELS: 'on',
        // No limits, because a week of messages is sent within a second.
        PARLEY_RATE_LIMITS: 'off',
      })
      const config = await withFreePort(given, terminal.environment['PORT'])
      const password = generatePassword()
      await withServer(
        config,
        (store) => createCast(store, config, password),
        async ({ url, database }, cast) => {
          const names = new Set([OWNER, ...MEMBERS].map(firstNameOf))
          const started = performance.now()
          await createChannels(url, cast)
          const talk = [
            COMPANY_CONVERSATIONS,
            PRODUCT_CONVERSATIONS,
            ENGINEERING_CONVERSATIONS,
            COMMUNITY_CONVERSATIONS,
            DIRECT_CONVERSATIONS,
          ].flatMap((text) => readScenes(text, names))
          const count = await playAtOnce(url, cast, talk)
          await database.transaction(async (db) => backdateMessages(db, CONVERSATION_DAYS))
          const seconds = (performance.now() - started) / 1000
          terminal.print(demoIntroduction(url, cast, password, count, seconds))
          await Promise.all(
            [LIVE_CONVERSATIONS, BOT_CONVERSATIONS].map((text) =>
              playLive(url, cast, readScenes(text, names), stopping),
            ),
          )
        },
        stopping,
      )
    } finally {
      await rm(directory, { recursive: true, force: true })
    }
  },
}

async function withFreePort(config: Config, chosen: string | undefined): Promise<Config> {
  if (chosen !== undefined && chosen !== '') return config
  const probe = createServer()
  try {
    await once(probe.listen({ host: config.HOST, port: config.PORT }), 'listening')
    return config
  } catch {
    return { ...config, PORT: 0 }
  } finally {
    probe.close()
  }
}

function demoIntroduction(url: string, cast: Cast, password: string, count: number, seconds: number): string {
  const players = [...cast.values()]
  const people = players.filter(({ botOf }) => botOf === undefined)
  const roles = new Map<number, string>(Object.entries(ROLE).map(([name, role]) => [role, name]))
  const widest = Math.max(...players.map(({ email }) => email.length))
  const row = (player: (typeof players)[number]): string =>
    `  ${player.fullName.padEnd(15)} ${player.email.padEnd(widest)} ${player.apiKey}  ${
      player.botOf === undefined ? (roles.get(player.role) ?? '') : 'bot'
    }`
  return [
    `${ORGANIZATION_NAME}, a demo organization, at ${url}`,
    '',
    `${people.length} people, ${players.length - people.length} bots, ${DEMO_CHANNELS.length + 1} channels, ` +
      `${count} messages (sent in ${seconds.toFixed(1)} s). They keep talking.`,
    '',
    ...players.map(row),
    '',
    `Password for everyone: ${password}`,
    '',
    `Readable without an account: ${url}/public`,
    '',
    'Sign-in links for the web client (reusable for one day):',
    '',
    ...people.flatMap(({ fullName, link }) =>
      link === undefined ? [] : [`  ${fullName.padEnd(15)} ${loginLinkUrl(url, link)}`],
    ),
    '',
    ...(people[0] === undefined ? [] : curlCommandLines(url, people[0].email, people[0].apiKey)),
    '',
    'Press Ctrl-C to stop and delete everything.',
  ].join('\n')
}
