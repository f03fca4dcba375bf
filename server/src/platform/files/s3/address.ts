export interface S3Address {
  readonly bucket: string
  /** Empty, or ends with a slash. */
  readonly prefix: string
  /** Undefined for Amazon's endpoint in the region. */
  readonly endpoint: string | undefined
  readonly region: string
  /** False if the bucket is in the host name. */
  readonly isPathStyle: boolean
  readonly name: string
}

const ADDRESS_PATTERN = /^s3:\/\/([^/?#]+)(?:\/([^?#]*))?(?:\?([^#]*))?$/i
const BUCKET_PATTERN = /^[a-z\d][a-z\d.-]{1,61}[a-z\d]$/
/** The maximum length keeps keys with their prefix within 1,024 bytes. */
const PREFIX_PATTERN = /^(?=.{0,512}$)[\w.-]+(?:\/[\w.-]+)*$/
const REGION_PATTERN = /^[a-z\d-]{1,64}$/
const OPTION_NAMES = ['endpoint', 'region', 'path_style']
const EXAMPLE_ADDRESS = 's3://bucket/prefix?endpoint=https://s3.example.org&region=eu-central-1'

/** Parses `s3://bucket/prefix?endpoint=https://s3.example.org`. Stores other than Amazon's usually need path style. */
export function readS3Address(text: string): S3Address {
  const [, bucket = '', path = '', query = ''] = ADDRESS_PATTERN.exec(text.trim()) ?? []
  if (bucket.includes('@')) {
    throw new Error('must not contain credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY')
  }
  const prefix = path.replace(/\/$/, '')
  if (bucket === '') throw new Error(`must be an address like ${EXAMPLE_ADDRESS}`)
  if (!BUCKET_PATTERN.test(bucket) || bucket.includes('..')) {
    throw new Error(
      `must have a bucket name of 3 to 63 lowercase letters, digits, hyphens, and dots, with a letter or digit at both ends, like ${EXAMPLE_ADDRESS}`,
    )
  }
  if (prefix !== '' && (!PREFIX_PATTERN.test(prefix) || prefix.split('/').some((part) => /^\.+$/.test(part))))
    throw new Error('must have a prefix of letters, digits, dots, hyphens, and underscores, separated by slashes')
  const options = new URLSearchParams(query)
  const unknown = [...options.keys()].find((name) => !OPTION_NAMES.includes(name))
  if (unknown !== undefined) throw new Error(`must have only the options ${OPTION_NAMES.join(', ')}`)
  const endpoint = parseEndpoint(options.get('endpoint'))
  const region = options.get('region') ?? 'us-east-1'
  if (!REGION_PATTERN.test(region)) throw new Error('must have a region like eu-central-1')
  return {
    bucket,
    prefix: prefix === '' ? '' : `${prefix}/`,
    endpoint,
    region,
    isPathStyle: isOptionOn(options.get('path_style'), endpoint !== undefined),
    name: `the bucket ${bucket} at ${endpoint ?? `Amazon S3 in ${region}`}`,
  }
}

function parseEndpoint(text: string | null): string | undefined {
  if (text === null) return undefined
  const url = /^https?:\/\//i.test(text) && URL.canParse(text) ? new URL(text) : undefined
  const isPlain = url?.pathname === '/' && url.search === '' && url.username === '' && url.password === ''
  if (url === undefined || !isPlain) throw new Error('must have an endpoint like https://s3.example.org')
  return url.origin
}

function isOptionOn(text: string | null, otherwise: boolean): boolean {
  if (text === null) return otherwise
  if (text !== 'on' && text !== 'off') throw new Error('must have a path_style of on or off')
  return text === 'on'
}

export function describeAddress({ name, prefix }: S3Address): string {
  return `${name}, under ${prefix || 'no prefix'}`
}

export function isSameAddress(one: S3Address, other: S3Address): boolean {
  return one.bucket === other.bucket && one.prefix === other.prefix && one.endpoint === other.endpoint
}
