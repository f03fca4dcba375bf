/** Where files are on S3-compatible storage. */
export interface S3Address {
  readonly bucket: string
  /** Of all names in the bucket: empty, or with a slash at its end. */
  readonly prefix: string
  /** Undefined for that of Amazon's region. */
  readonly endpoint: string | undefined
  readonly region: string
  /** Whether the bucket stands in the path of the address, and not in its host name. */
  readonly isPathStyle: boolean
  /** For people. */
  readonly name: string
}

const FORM = /^s3:\/\/([^/?#]+)(?:\/([^?#]*))?(?:\?([^#]*))?$/i
const BUCKET = /^[a-z\d][a-z\d.-]{1,61}[a-z\d]$/
/** Long enough for any, and short enough that a key behind it is a name of at most 1,024 bytes. */
const PREFIX = /^(?=.{0,512}$)[\w.-]+(?:\/[\w.-]+)*$/
const REGION = /^[a-z\d-]{1,64}$/
const OPTIONS = ['endpoint', 'region', 'path_style']
const EXAMPLE = 's3://bucket/prefix?endpoint=https://s3.example.org&region=eu-central-1'

/**
 * Reads an address like `s3://bucket/prefix?endpoint=https://s3.example.org`. What is of no other store than Amazon's has an endpoint, and mostly
 * wants the bucket in the path.
 * @throws Error what it must be
 */
export function readS3Address(text: string): S3Address {
  const [, bucket = '', path = '', query = ''] = FORM.exec(text.trim()) ?? []
  if (bucket.includes('@')) {
    throw new Error('must not hold credentials, which AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY say')
  }
  const prefix = path.replace(/\/$/, '')
  if (bucket === '') throw new Error(`must be an address like ${EXAMPLE}`)
  if (!BUCKET.test(bucket) || bucket.includes('..')) {
    throw new Error(
      `must name a bucket by 3 to 63 lowercase letters, digits, hyphens and dots, with a letter or digit at both ends, as ${EXAMPLE} does`,
    )
  }
  if (prefix !== '' && (!PREFIX.test(prefix) || prefix.split('/').some((part) => /^\.+$/.test(part))))
    throw new Error('must have a prefix of letters, digits, dots, hyphens and underscores, with slashes between')
  const options = new URLSearchParams(query)
  const unknown = [...options.keys()].find((name) => !OPTIONS.includes(name))
  if (unknown !== undefined) throw new Error(`must have no other options than ${OPTIONS.join(', ')}`)
  const endpoint = endpointOf(options.get('endpoint'))
  const region = options.get('region') ?? 'us-east-1'
  if (!REGION.test(region)) throw new Error('must have a region like eu-central-1')
  return {
    bucket,
    prefix: prefix === '' ? '' : `${prefix}/`,
    endpoint,
    region,
    isPathStyle: isOn(options.get('path_style'), endpoint !== undefined),
    name: `the bucket ${bucket} at ${endpoint ?? `Amazon S3 in ${region}`}`,
  }
}

function endpointOf(text: string | null): string | undefined {
  if (text === null) return undefined
  const url = /^https?:\/\//i.test(text) && URL.canParse(text) ? new URL(text) : undefined
  const isPlain = url?.pathname === '/' && url.search === '' && url.username === '' && url.password === ''
  if (url === undefined || !isPlain) throw new Error('must have an endpoint like https://s3.example.org')
  return url.origin
}

function isOn(text: string | null, otherwise: boolean): boolean {
  if (text === null) return otherwise
  if (text !== 'on' && text !== 'off') throw new Error('must have a path_style that is on or off')
  return text === 'on'
}

/** Where an address leads, for people. */
export function placeAt({ name, prefix }: S3Address): string {
  return `${name}, under ${prefix || 'no prefix'}`
}

/** Whether two addresses lead to the same files. */
export function isSameAddress(one: S3Address, other: S3Address): boolean {
  return one.bucket === other.bucket && one.prefix === other.prefix && one.endpoint === other.endpoint
}
