import { codeOnly, importsOf, productionSources, type Source } from './sources.ts'

/**
 * Modules that open connections or send requests. Only `platform/outside` uses URLs entered by users; the other
 * modules connect to hosts that the operator configured, or listen.
 */
const CONNECTING_FILES: Readonly<Record<string, string>> = {
  'platform/outside/': 'requests URLs that users entered',
  'platform/mail/mailer.ts': "sends to the operator's mail server, with a timeout",
  'platform/openid/': "requests the operator's identity provider, with limits on time and bytes",
  'platform/mail/incoming.ts': 'listens',
  'capabilities/passkeys/':
    'requests certificate revocation lists only for configured root certificates, and none are configured',
  'platform/db/': 'queries the database',
  'platform/bus/': "connects to the operator's bus, or listens to database notifications",
  'platform/files/s3/': "requests the operator's storage, with a timeout",
  'platform/backup/': 'reads and writes the database',
  'platform/moving/': 'reads and writes the database',
  'platform/upgrading/': 'reads and writes the database, and installs programs with known checksums through npm',
  'commands/database.ts': 'queries the database',
  'platform/log/': 'recognizes database errors',
  'platform/embedded/': 'connects to the database and to other processes on this machine',
  'platform/http/': 'listens',
  'commands/doctor.ts': 'checks whether the server responds',
  'commands/serving.ts': 'checks whether a port on this machine is free',
  'commands/demo.ts': 'finds a free port on this machine',
  'commands/demo/play.ts': 'requests the demo server that it started',
}

const CONNECTING_MODULE = /^node:(?:https?|http2|net|tls|dgram|dns)(?:\/promises)?$/
const HARMLESS_NAME = /^(?:type \w+|isIP|isIPv4|isIPv6|BlockList)$/

/** Packages that open no connections. Review each new package before adding it. */
const NON_CONNECTING_PACKAGES: readonly string[] = [
  '@exodus/bytes',
  '@fastify/busboy',
  '@modelcontextprotocol/sdk',
  '@node-rs/argon2',
  '@zxcvbn-ts/core',
  '@zxcvbn-ts/language-common',
  // Its `verifyServer` would, which nothing imports.
  'altcha-lib',
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
  'tar-stream',
  'unicode-emoji-json',
  'url-template',
  'yauzl',
  'zod',
]

export const outgoing = {
  promise: 'sends outgoing requests only through platform/outside and listed modules',
  violations: (sources: readonly Source[]): string[] =>
    productionSources(sources)
      .filter(({ path }) => !path.includes('/testing/'))
      .filter(({ path }) => !Object.keys(CONNECTING_FILES).some((place) => path.startsWith(place)))
      .flatMap((source) => [
        ...modulesOf(source).map((name) => `${source.path} can open connections through ${name}`),
        ...(/(?<![.\w$])(?:fetch|WebSocket|EventSource)\(/.test(codeOnly(source.text))
          ? [`${source.path} sends requests itself`]
          : []),
      ]),
}

function modulesOf(source: Source): string[] {
  const loaded = Array.from(
    codeOnly(source.text).matchAll(/(?<![.\w$])(?:require|load)\('([^'.][^']*)'\)/g),
    ([, name = '']) => name,
  )
  const imported = importsOf(source).flatMap(({ target, typeOnly }) => (typeOnly ? [] : [target]))
  return [...new Set([...imported, ...loaded])].filter((name) => mayConnect(name, source))
}

function mayConnect(name: string, { text }: Source): boolean {
  if (name.startsWith('node:')) return CONNECTING_MODULE.test(name) && !isHarmless(name, text)
  const isOurs = name.endsWith('.ts') || name.startsWith('platform/')
  const isPackage = /^@?[a-z]/.test(name) && !isOurs && !name.endsWith('.json')
  return isPackage && !NON_CONNECTING_PACKAGES.some((quiet) => name === quiet || name.startsWith(`${quiet}/`))
}

function isHarmless(name: string, text: string): boolean {
  const [, names] = new RegExp(`import \\{([^}]*)\\} from '${name}'`).exec(text) ?? []
  return names !== undefined && names.split(',').every((one) => one.trim() === '' || HARMLESS_NAME.test(one.trim()))
}
