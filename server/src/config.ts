import { z } from 'zod'

/** A switch in the environment, in any case. What is neither is refused: it was meant to be one of them. */
const flag = z.stringbool('must be 1, true, on or yes, or else 0, false, off or no').default(false)

const number = (least: number, most: number): z.ZodType<number> =>
  z.coerce
    .number(`must be a number from ${least} to ${most}`)
    .int(`must be a whole number from ${least} to ${most}`)
    .min(least, `must be at least ${least}`)
    .max(most, `must be at most ${most}`)
const port = number(0, 65_535)
const count = number(1, 1_000_000_000)

/** A limit written `count/seconds`, e.g. `200/60`. */
const rate = z
  .string()
  .regex(/^\d+\/\d+$/, 'must be written count/seconds, for example 200/60')
  .transform((value) => {
    const [uses = 0, seconds = 0] = value.split('/').map(Number)
    return { count: uses, seconds }
  })

/** Every environment variable that Parley reads. An empty one counts as not set. */
const environment = z.object({
  /** Address to listen on. */
  HOST: z.string().default('127.0.0.1'),
  PORT: port.default(8800),
  /** Where the embedded database and everything else durable lives. */
  PARLEY_DATA_DIR: z.string().default('data'),
  /** An external PostgreSQL (15 or newer) instead of the embedded one. */
  DATABASE_URL: z.string().optional(),
  /** The largest file that people may upload. */
  PARLEY_MAX_FILE_UPLOAD_MIB: number(1, 4_096).default(100),
  /** How much all uploaded files of an organization may take; without it as much as there is room for. */
  PARLEY_UPLOAD_QUOTA_MIB: count.optional(),
  /** How clients reach the server, when that is not the address it listens on: `https://chat.example.org`. */
  PARLEY_URL: z.url({ protocol: /^https?$/, error: 'must be a URL like https://chat.example.org' }).optional(),
  /** Serves an organization at each subdomain of this name, and the one without a subdomain at the name itself. */
  PARLEY_ROOT_DOMAIN: z.hostname('must be a host name, like chat.example.org').optional(),
  /** The words of the API that differ: `neutral`, or `zulip` for the names that existing clients expect. */
  PARLEY_API_NAMES: z.enum(['neutral', 'zulip'], 'must be neutral or zulip').default('neutral'),
  /** Lets organizations open channels to everybody on the internet, once they switch that on themselves. */
  PARLEY_WEB_PUBLIC_CHANNELS: flag,
  /** Logs in without passwords and checks every answer against its declaration. Never where people can reach it. */
  PARLEY_DEVELOPMENT: flag,
  /** Take client addresses from `X-Forwarded-For`. Only behind a proxy that sets it. */
  PARLEY_TRUST_PROXY: flag,
  PARLEY_LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('warn'),
  /** `off` for load tests. */
  PARLEY_RATE_LIMITS: z.enum(['on', 'off'], 'must be on or off').default('on'),
  /** Requests of a user. */
  PARLEY_RATE_LIMIT_USER: rate.prefault('200/60'),
  /** Requests without a login, from one address. */
  PARLEY_RATE_LIMIT_ADDRESS: rate.prefault('100/60'),
  /** Failed logins with one user name. */
  PARLEY_RATE_LIMIT_LOGIN: rate.prefault('5/1800'),
  /** An event queue that nobody used for this long is collected. */
  PARLEY_QUEUE_IDLE_SECONDS: count.default(600),
  /** A poll without events is answered with a heartbeat after about this long. */
  PARLEY_HEARTBEAT_SECONDS: count.default(50),
  /** The first organization and its owner; without them the first start chooses and prints a password. */
  PARLEY_ORGANIZATION: z.string().optional(),
  PARLEY_OWNER_NAME: z.string().optional(),
  PARLEY_OWNER_EMAIL: z.string().optional(),
  PARLEY_OWNER_PASSWORD: z.string().optional(),
})

export type Config = Readonly<z.output<typeof environment>>

/** Reads and checks the environment. @throws Error that names the variable and what is wrong with it */
export function readConfig(variables: Readonly<Record<string, string | undefined>>): Config {
  const set = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== undefined && value !== ''))
  const checked = environment.safeParse(set)
  if (checked.success) return Object.freeze(checked.data)
  const [issue] = checked.error.issues
  throw new Error(`${issue?.path.join('.') ?? 'environment'}: ${issue?.message ?? 'is not valid'}`)
}
