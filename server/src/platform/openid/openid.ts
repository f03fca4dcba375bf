import type * as Library from 'openid-client'
import type { Logger } from '../logger.ts'

/** What the operator says of the identity provider. */
export interface OpenidSettings {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** What people know it by. */
  readonly displayName: string
  /** Whether an address is the person's although the provider does not say that it has verified it. */
  readonly trustsEmail: boolean
}

/** What ties the answer of the provider to the request that it answers. */
export interface OpenidRequest {
  /** Where the provider sends the browser back to. */
  readonly redirectAddress: string
  /** Comes back with the answer. */
  readonly state: string
  /** Comes back in what the provider has signed. */
  readonly nonce: string
  /** Proves that whoever brings the answer has asked; the provider is told its digest alone. */
  readonly codeVerifier: string
}

/** What the provider put into the address to which it sent the browser back. */
export type OpenidAnswer = Readonly<Partial<Record<'state' | 'code' | 'iss' | 'error', string | undefined>>>

/** A person, as the provider vouches for them. */
export interface OpenidIdentity {
  readonly issuer: string
  /** What the provider calls the person, now and forever. */
  readonly subject: string
  /** The address, where the provider says that it is the person's, or the operator trusts all of its addresses. */
  readonly verifiedEmail: string | undefined
  /** Why there is no such address, for the operator. */
  readonly emailProblem: string | undefined
  /** What the person may be called, the best first. */
  readonly names: readonly string[]
}

/** An identity provider with which people sign in. */
export interface OpenidProvider {
  readonly displayName: string
  /** The address to which a browser is sent. @throws OpenidUnreachable */
  addressFor(request: OpenidRequest): Promise<string>
  /**
   * Whom an answer is about.
   * @throws OpenidRefused when it is not the answer to the request or the provider does not stand by it; OpenidUnreachable
   */
  identityOf(request: OpenidRequest, answer: OpenidAnswer): Promise<OpenidIdentity>
  /** Logs for the operator why somebody whom the provider sent back is not signed in. */
  logRefusal(reason: string): void
  /**
   * Asks the provider what it is.
   * @returns whether it may sign people in by their addresses, as far as it says which claims it knows
   * @throws OpenidUnreachable
   */
  verify(): Promise<{ readonly confirmsAddresses: boolean }>
}

/** What came back is no answer to what was asked. */
export class OpenidRefused extends Error {
  override readonly name = 'OpenidRefused'
}

/** The provider does not answer, or not as one. */
export class OpenidUnreachable extends Error {
  override readonly name = 'OpenidUnreachable'
}

/** The page of the web client that sends a browser to the provider, and to which the provider sends it back. */
export const OPENID_PATH = '/openid'

/** How long one request to the provider may take. */
const TIMEOUT_SECONDS = 10
/** How long one answer of the provider may be: the longest, its keys, take some thousand bytes. */
export const MAX_ANSWER_BYTES = 500_000
/** Providers change what they say of themselves, seldom. */
const METADATA_SECONDS = 3_600

/** By the specification. It becomes part of a key. */
const MAX_SUBJECT = 255

/** The names of errors that the protocol knows are shorter. */
const MAX_ERROR_NAME = 100

interface Discovered {
  readonly library: typeof Library
  readonly configuration: Library.Configuration
  readonly goodUntil: number
}

/**
 * The provider is asked what it is with the first person who wants to sign in, since it may not be there when the server starts.
 * @param logger is told why an answer is refused, which attacks are, too: a line, without what was in the answer
 */
export function openOpenidProvider(settings: OpenidSettings, logger: Pick<Logger, 'warn'>): OpenidProvider {
  let discovering: Promise<Discovered> | undefined
  let known: Discovered | undefined
  const discovered = async (): Promise<Discovered> => {
    if (known !== undefined && known.goodUntil > Date.now()) return known
    discovering ??= discover(settings).finally(() => {
      discovering = undefined
    })
    known = await discovering
    return known
  }
  return {
    displayName: settings.displayName,
    async addressFor({ redirectAddress, state, nonce, codeVerifier }) {
      const { library, configuration } = await discovered()
      return library.buildAuthorizationUrl(configuration, {
        redirect_uri: redirectAddress,
        response_type: 'code',
        scope: 'openid email profile',
        state,
        nonce,
        code_challenge: await library.calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: 'S256',
      }).href
    },
    async identityOf(request, answer) {
      const { library, configuration } = await discovered()
      try {
        return await confirmed({ library, configuration, settings, logger }, request, answer)
      } catch (error) {
        if (isUnreachable(error)) throw new OpenidUnreachable('the identity provider cannot be asked', { cause: error })
        logger.warn({ reason: reasonOf(error) }, 'the identity provider does not confirm a sign-in')
        throw new OpenidRefused('the identity provider does not confirm a sign-in', { cause: error })
      }
    },
    logRefusal: (reason) => logger.warn({ reason }, 'a sign-in by the identity provider is refused'),
    async verify() {
      const { configuration } = await discovered()
      const { claims_supported: claims } = configuration.serverMetadata()
      return { confirmsAddresses: settings.trustsEmail || (claims?.includes('email_verified') ?? true) }
    },
  }
}

async function discover({ issuer, clientId, clientSecret }: OpenidSettings): Promise<Discovered> {
  // Most servers have none.
  const library = await import('openid-client')
  // Deprecated so that it stands out, and the only way to a provider on this machine.
  const { allowInsecureRequests } = library as { allowInsecureRequests: (configuration: Library.Configuration) => void }
  const address = new URL(issuer)
  try {
    const configuration = await library.discovery(
      address,
      clientId,
      clientSecret,
      // What a provider understands that names nothing else.
      library.ClientSecretBasic(clientSecret),
      {
        timeout: TIMEOUT_SECONDS,
        [library.customFetch]: fetchShort,
        execute: [
          // Signatures are looked at, too, and not only where the answer came from.
          library.enableNonRepudiationChecks,
          // To this machine alone, as the configuration requires.
          ...(address.protocol === 'http:' ? [allowInsecureRequests] : []),
        ],
      },
    )
    return { library, configuration, goodUntil: Date.now() + METADATA_SECONDS * 1000 }
  } catch (error) {
    throw new OpenidUnreachable('the identity provider does not say what it is', { cause: error })
  }
}

/** Sends a request, and reads no more of the answer than there may be. */
async function fetchShort(url: string, options: Library.CustomFetchOptions): Promise<Response> {
  // The body of each request of the library is a text, or none.
  const response = await fetch(url, options as RequestInit)
  let bytes = 0
  const counting = new TransformStream<Uint8Array, Uint8Array>({
    transform(piece, controller) {
      bytes += piece.byteLength
      if (bytes > MAX_ANSWER_BYTES)
        controller.error(new TypeError(`the answer is longer than ${MAX_ANSWER_BYTES} bytes`))
      else controller.enqueue(piece)
    },
  })
  const { status, statusText, headers } = response
  return new Response(response.body?.pipeThrough(counting) ?? null, { status, statusText, headers })
}

interface Asking {
  readonly library: typeof Library
  readonly configuration: Library.Configuration
  readonly settings: Pick<OpenidSettings, 'trustsEmail'>
  readonly logger: Pick<Logger, 'warn'>
}

type Claims = Readonly<Record<string, unknown>>

async function confirmed(
  asking: Asking,
  { redirectAddress, state, nonce, codeVerifier }: OpenidRequest,
  answer: OpenidAnswer,
): Promise<OpenidIdentity> {
  const { library, configuration, settings } = asking
  const address = new URL(redirectAddress)
  for (const [name, value] of Object.entries(answer)) {
    if (value !== undefined) address.searchParams.set(name, value)
  }
  const tokens = await library.authorizationCodeGrant(configuration, address, {
    expectedState: state,
    expectedNonce: nonce,
    pkceCodeVerifier: codeVerifier,
    idTokenExpected: true,
  })
  const claims = tokens.claims()
  if (claims === undefined) throw new OpenidRefused('there is no ID token')
  if (claims.sub.length > MAX_SUBJECT || /\p{Cc}/u.test(claims.sub)) throw new OpenidRefused('there is no such subject')
  const more = await moreClaims(asking, claims, tokens.access_token)
  return {
    issuer: claims.iss,
    subject: claims.sub,
    ...emailIn([claims, more], settings),
    names: namesIn({ ...more, ...claims }),
  }
}

/** What many providers tell of the address and the name at another endpoint alone, where the ID token lacks it. */
async function moreClaims(asking: Asking, claims: Library.IDToken, accessToken: string): Promise<Claims> {
  const { library, configuration, settings, logger } = asking
  if (configuration.serverMetadata().userinfo_endpoint === undefined) return {}
  const hasEmail = emailIn([claims], settings).verifiedEmail !== undefined
  if (hasEmail && textOf(claims, 'name') !== '') return {}
  try {
    return await library.fetchUserInfo(configuration, accessToken, claims.sub)
  } catch (error) {
    // A name alone keeps nobody out.
    if (!hasEmail) throw error
    logger.warn({ reason: reasonOf(error) }, 'the identity provider tells no more of a person')
    return {}
  }
}

/** The address of a person. Whether it is verified is said by the same source, since another one may have another address. */
function emailIn(
  sources: readonly Claims[],
  { trustsEmail }: Pick<OpenidSettings, 'trustsEmail'>,
): Pick<OpenidIdentity, 'verifiedEmail' | 'emailProblem'> {
  const named = sources.filter((claims) => textOf(claims, 'email') !== '')
  // Some providers write `true` as a text. Without the claim an address says nothing: anybody can have typed it.
  const isVerified = ({ email_verified: said }: Claims): boolean => said === true || said === 'true'
  const source = named.find(isVerified) ?? (trustsEmail ? named[0] : undefined)
  if (source !== undefined) return { verifiedEmail: textOf(source, 'email'), emailProblem: undefined }
  const problem =
    named[0] === undefined
      ? 'the claim email is missing'
      : named.every(({ email_verified: said }) => said === undefined)
        ? 'the claim email_verified is missing'
        : 'the claim email_verified is not true'
  return { verifiedEmail: undefined, emailProblem: problem }
}

function namesIn(claims: Claims): string[] {
  const names = [
    textOf(claims, 'name'),
    `${textOf(claims, 'given_name')} ${textOf(claims, 'family_name')}`.trim(),
    textOf(claims, 'preferred_username'),
    textOf(claims, 'email').split('@')[0] ?? '',
  ]
  return names.filter((name) => name !== '')
}

function textOf(claims: Claims, name: string): string {
  const value = claims[name]
  return typeof value === 'string' ? value.trim() : ''
}

/** Why an answer is refused, in the words of the library; what these are about, such as the code, it keeps apart from them. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  // By the protocol, what the provider refuses has a name, such as `invalid_grant`.
  const name = 'error' in error && typeof error.error === 'string' ? ` (${error.error.slice(0, MAX_ERROR_NAME)})` : ''
  const why = error.cause instanceof Error ? `: ${reasonOf(error.cause)}` : ''
  return `${error.message}${name}${why}`
}

/** Whether the provider was not heard, and so has refused nothing. */
function isUnreachable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error.name === 'TimeoutError') return true
  // What `fetch` says of connections that fail; the library hands on what it is made of.
  return error instanceof TypeError || (error.cause !== undefined && isUnreachable(error.cause))
}
