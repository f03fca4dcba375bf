import type * as Library from 'openid-client'
import type { Logger } from '../logger.ts'

/** What the operator says of the identity provider. */
export interface OpenidSettings {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** What people know it by. */
  readonly displayName: string
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
  /** The address, where the provider says that it is the person's. */
  readonly verifiedEmail: string | undefined
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
        return await confirmed(library, configuration, request, answer)
      } catch (error) {
        if (isUnreachable(error)) throw new OpenidUnreachable('the identity provider cannot be asked', { cause: error })
        logger.warn({ reason: reasonOf(error) }, 'the identity provider does not confirm a sign-in')
        throw new OpenidRefused('the identity provider does not confirm a sign-in', { cause: error })
      }
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

async function confirmed(
  library: typeof Library,
  configuration: Library.Configuration,
  { redirectAddress, state, nonce, codeVerifier }: OpenidRequest,
  answer: OpenidAnswer,
): Promise<OpenidIdentity> {
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
  // Many providers tell address and name there alone.
  const more =
    claims['email'] === undefined && configuration.serverMetadata().userinfo_endpoint !== undefined
      ? await library.fetchUserInfo(configuration, tokens.access_token, claims.sub)
      : {}
  return identityIn({ ...more, ...claims })
}

function identityIn(claims: Library.IDToken): OpenidIdentity {
  const textOf = (name: string): string => (typeof claims[name] === 'string' ? claims[name].trim() : '')
  // Some providers write `true` as a text. Without the claim an address says nothing: anybody can have typed it.
  const isVerified = claims['email_verified'] === true || claims['email_verified'] === 'true'
  const email = textOf('email')
  const names = [
    textOf('name'),
    `${textOf('given_name')} ${textOf('family_name')}`.trim(),
    textOf('preferred_username'),
    email.split('@')[0] ?? '',
  ]
  return {
    issuer: claims.iss,
    subject: claims.sub,
    verifiedEmail: isVerified && email !== '' ? email : undefined,
    names: names.filter((name) => name !== ''),
  }
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
