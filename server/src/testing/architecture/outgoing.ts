import { code, importsOf, production, type Source } from './sources.ts'

/**
 * Modules that open connections or send requests. Only `platform/outside` uses URLs entered by users; the others
 * connect to hosts the operator configured, or listen.
 */
const CONNECTING: Readonly<Record<string, string>> = {
  'platform/outside/': 'is the one way to an address that somebody typed',
  'platform/mail/mailer.ts': 'asks the mail server of the operator, who limits its silence',
  'platform/openid/': 'asks the identity provider of the operator, with limits of time and bytes',
  'platform/mail/incoming.ts': 'listens',
  'capabilities/passkeys/':
    'asks for lists of revoked certificates only where it is told which roots to trust, which it is not',
  'platform/db/': 'asks the database',
  'platform/bus/': 'speaks with the bus of the operator, or hears what the database says',
  'platform/files/s3/': 'asks the storage of the operator, with limits of time',
  'platform/backup/': 'reads and writes the database',
  'platform/moving/': 'reads and writes the database',
  'platform/upgrading/': 'reads and writes the database, and has npm install programs whose checksums it knows',
  'commands/database.ts': 'asks the database',
  'platform/log/': 'knows the failures of the database',
  'platform/embedded/': 'speaks with the database and other processes of this machine',
  'platform/http/': 'listens',
  'commands/doctor.ts': 'asks the server that it looks at whether it answers',
  'commands/serving.ts': 'looks whether a port of this machine is free',
  'commands/demo.ts': 'looks for a free port of this machine',
  'commands/demo/play.ts': 'asks the demonstration that it has started itself',
}

const CONNECTING_MODULE = /^node:(?:https?|http2|net|tls|dgram|dns)(?:\/promises)?$/
const HARMLESS_NAME = /^(?:type \w+|isIP|isIPv4|isIPv6|BlockList)$/

/** Review each new package before adding it. */
const QUIET_PACKAGES: readonly string[] = [
  '@exodus/bytes',
  '@fastify/busboy',
  '@modelcontextprotocol/sdk',
  '@node-rs/argon2',
  '@zxcvbn-ts/core',
  '@zxcvbn-ts/language-common',
  'content-disposition',
  'diff',
  'disposable-email-domains-js',
  'find-my-way',
  'gemoji',
  'highlight.js',
  'htmlparser2',
  'katex',
  'kysely',
  'linkify-it',
  'markdown-it',
  'markdown-it-cjk-friendly',
  'mime-types',
  'otpauth',
  'pino',
  'prom-client',
  'range-parser',
  're2js',
  'sharp',
  'unicode-emoji-json',
  'url-template',
  'yauzl',
  'zod',
]

export const outgoing = {
  promise: 'sends outgoing requests only through platform/outside and listed modules',
  violations: (sources: readonly Source[]): string[] =>
    production(sources)
      .filter(({ path }) => !path.includes('/testing/'))
      .filter(({ path }) => !Object.keys(CONNECTING).some((place) => path.startsWith(place)))
      .flatMap((source) => [
        ...modulesOf(source).map((name) => `${source.path} may open connections by ${name}`),
        ...(/(?<![.\w$])(?:fetch|WebSocket|EventSource)\(/.test(code(source.text))
          ? [`${source.path} sends requests by itself`]
          : []),
      ]),
}

function modulesOf(source: Source): string[] {
  const loaded = Array.from(
    code(source.text).matchAll(/(?<![.\w$])(?:require|load)\('([^'.][^']*)'\)/g),
    ([, name = '']) => name,
  )
  const imported = importsOf(source).flatMap(({ target, typeOnly }) => (typeOnly ? [] : [target]))
  return [...new Set([...imported, ...loaded])].filter((name) => mayConnect(name, source))
}

function mayConnect(name: string, { text }: Source): boolean {
  if (name.startsWith('node:')) return CONNECTING_MODULE.test(name) && !isHarmless(name, text)
  const isPackage = /^@?[a-z]/.test(name) && !name.endsWith('.ts') && !name.endsWith('.json')
  return isPackage && !QUIET_PACKAGES.some((quiet) => name === quiet || name.startsWith(`${quiet}/`))
}

function isHarmless(name: string, text: string): boolean {
  const [, names] = new RegExp(`import \\{([^}]*)\\} from '${name}'`).exec(text) ?? []
  return names !== undefined && names.split(',').every((one) => one.trim() === '' || HARMLESS_NAME.test(one.trim()))
}
