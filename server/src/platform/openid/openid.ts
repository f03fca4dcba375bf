import type * as Library from 'openid-client'
import type { Logger } from '../logger.ts'

export interface OpenidSettings {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  readonly displayName: string
  /** Whether to trust email addresses that the provider does not confirm. */
  readonly trustsEmail: boolean
}

export interface OpenidRequest {
  readonly redirectAddress: string
  readonly state: string
  readonly nonce: string
  /** Proves that this server sent the request: the provider received only a digest of this value. */
  readonly codeVerifier: string
}

export type OpenidAnswer = Readonly<Partial<Record<'state' | 'code' | 'iss' | 'error', string | undefined>>>

export interface OpenidIdentity {
  readonly issuer: string
  /** Permanent ID at the provider. */
  readonly subject: string
  readonly verifiedEmail: string | undefined
  /** Reason for a missing email address, for the operator. */
  readonly emailProblem: string | undefined
  readonly names: readonly string[]
}

export interface OpenidProvider {
  readonly displayName: string
  /** Returns the URL to which to send a browser. @throws OpenidUnreachableError */
  addressFor(request: OpenidRequest): Promise<string>
  /** @throws OpenidRefusedError if the answer is for another request or the provider refuses; OpenidUnreachableError */
  identityOf(request: OpenidRequest, answer: OpenidAnswer): Promise<OpenidIdentity>
  logRefusal(reason: string): void
  /** Returns whether the provider can confirm email addresses. @throws OpenidUnreachableError */
  verify(): Promise<{ readonly confirmsAddresses: boolean }>
}

export class OpenidRefusedError extends Error {
  override readonly name = 'OpenidRefusedError'
}

export class OpenidUnreachableError extends Error {
  override readonly name = 'OpenidUnreachableError'
}

/** Path that redirects browsers to the provider, and to which the provider sends them back. */
export const OPENID_PATH = '/openid'

const REQUEST_TIMEOUT_SECONDS = 10
export const MAX_ANSWER_BYTES = 500_000
const METADATA_REUSE_SECONDS = 3_600

/** The OpenID Connect specification's limit for `sub`. */
const MAX_SUBJECT_CHARACTERS = 255

const MAX_ERROR_CODE_CHARACTERS = 100

interface DiscoveredProvider {
  readonly library: typeof Library
  readonly configuration: Library.Configuration
  readonly goodUntil: number
}

/** Fetches metadata at the first sign-in, because the provider may be unavailable when the server starts. */
export function openOpenidProvider(settings: OpenidSettings, logger: Pick<Logger, 'warn'>): OpenidProvider {
  let discovering: Promise<DiscoveredProvider> | undefined
  let known: DiscoveredProvider | undefined
  const discoverProvider = async (): Promise<DiscoveredProvider> => {
    if (known !== undefined && known.goodUntil > Date.now()) return known
    discovering ??= discoverConfiguration(settings).finally(() => {
      discovering = undefined
    })
    known = await discovering
    return known
  }
  return {
    displayName: settings.displayName,
    async addressFor({ redirectAddress, state, nonce, codeVerifier }) {
      const { library, configuration } = await discoverProvider()
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
      const { library, configuration } = await discoverProvider()
      try {
        return await confirmIdentity({ library, configuration, settings, logger }, request, answer)
      } catch (error) {
        if (isUnreachable(error))
          throw new OpenidUnreachableError('the identity provider is unreachable', { cause: error })
        logger.warn({ reason: failureReason(error) }, 'identity provider did not confirm a sign-in')
        throw new OpenidRefusedError('identity provider did not confirm a sign-in', { cause: error })
      }
    },
    logRefusal: (reason) => logger.warn({ reason }, 'identity provider sign-in refused'),
    async verify() {
      const { configuration } = await discoverProvider()
      const { claims_supported: claims } = configuration.serverMetadata()
      return { confirmsAddresses: settings.trustsEmail || (claims?.includes('email_verified') ?? true) }
    },
  }
}

async function discoverConfiguration({ issuer, clientId, clientSecret }: OpenidSettings): Promise<DiscoveredProvider> {
  // Imported here, because most servers have no provider.
  const library = await import('openid-client')
  // The library marks this function as deprecated only to make it stand out.
  const { allowInsecureRequests } = library as { allowInsecureRequests: (configuration: Library.Configuration) => void }
  const address = new URL(issuer)
  try {
    const configuration = await library.discovery(
      address,
      clientId,
      clientSecret,
      library.ClientSecretBasic(clientSecret),
      {
        timeout: REQUEST_TIMEOUT_SECONDS,
        [library.customFetch]: fetchWithinLimit,
        execute: [
          // Verifies signatures in addition to TLS.
          library.enableNonRepudiationChecks,
          // The configuration allows HTTP only for this machine.
          ...(address.protocol === 'http:' ? [allowInsecureRequests] : []),
        ],
      },
    )
    return { library, configuration, goodUntil: Date.now() + METADATA_REUSE_SECONDS * 1000 }
  } catch (error) {
    throw new OpenidUnreachableError('the identity provider does not describe itself', { cause: error })
  }
}

async function fetchWithinLimit(url: string, options: Library.CustomFetchOptions): Promise<Response> {
  // Safe: all bodies sent by the library are strings.
  const response = await fetch(url, options as RequestInit)
  let bytes = 0
  const counting = new TransformStream<Uint8Array, Uint8Array>({
    transform(piece, controller) {
      bytes += piece.byteLength
      if (bytes > MAX_ANSWER_BYTES)
        controller.error(new TypeError(`the response is longer than ${MAX_ANSWER_BYTES} bytes`))
      else controller.enqueue(piece)
    },
  })
  const { status, statusText, headers } = response
  return new Response(response.body?.pipeThrough(counting) ?? null, { status, statusText, headers })
}

interface ProviderRequest {
  readonly library: typeof Library
  readonly configuration: Library.Configuration
  readonly settings: Pick<OpenidSettings, 'trustsEmail'>
  readonly logger: Pick<Logger, 'warn'>
}

type Claims = Readonly<Record<string, unknown>>

async function confirmIdentity(
  asking: ProviderRequest,
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
  if (claims === undefined) throw new OpenidRefusedError('the ID token is missing')
  if (claims.sub.length > MAX_SUBJECT_CHARACTERS || /\p{Cc}/u.test(claims.sub))
    throw new OpenidRefusedError('the subject is invalid')
  const more = await fetchMissingClaims(asking, claims, tokens.access_token)
  return {
    issuer: claims.iss,
    subject: claims.sub,
    ...emailFromClaims([claims, more], settings),
    names: namesFromClaims({ ...more, ...claims }),
  }
}

/** Requests further claims: many providers omit the address and name in the ID token. */
async function fetchMissingClaims(
  asking: ProviderRequest,
  claims: Library.IDToken,
  accessToken: string,
): Promise<Claims> {
  const { library, configuration, settings, logger } = asking
  if (configuration.serverMetadata().userinfo_endpoint === undefined) return {}
  const hasEmail = emailFromClaims([claims], settings).verifiedEmail !== undefined
  if (hasEmail && claimText(claims, 'name') !== '') return {}
  try {
    return await library.fetchUserInfo(configuration, accessToken, claims.sub)
  } catch (error) {
    // Fails only without an email address, because a missing name does not prevent sign-in.
    if (!hasEmail) throw error
    logger.warn({ reason: failureReason(error) }, 'identity provider gave no more user details')
    return {}
  }
}

function emailFromClaims(
  sources: readonly Claims[],
  { trustsEmail }: Pick<OpenidSettings, 'trustsEmail'>,
): Pick<OpenidIdentity, 'verifiedEmail' | 'emailProblem'> {
  const named = sources.filter((claims) => claimText(claims, 'email') !== '')
  // Some providers send `true` as text. Without the claim, the address may be unconfirmed.
  const isVerified = ({ email_verified: said }: Claims): boolean => said === true || said === 'true'
  const source = named.find(isVerified) ?? (trustsEmail ? named[0] : undefined)
  if (source !== undefined) return { verifiedEmail: claimText(source, 'email'), emailProblem: undefined }
  const problem =
    named[0] === undefined
      ? 'the claim email is missing'
      : named.every(({ email_verified: said }) => said === undefined)
        ? 'the claim email_verified is missing'
        : 'the claim email_verified is not true'
  return { verifiedEmail: undefined, emailProblem: problem }
}

function namesFromClaims(claims: Claims): string[] {
  const names = [
    claimText(claims, 'name'),
    `${claimText(claims, 'given_name')} ${claimText(claims, 'family_name')}`.trim(),
    claimText(claims, 'preferred_username'),
    claimText(claims, 'email').split('@')[0] ?? '',
  ]
  return names.filter((name) => name !== '')
}

function claimText(claims: Claims, name: string): string {
  const value = claims[name]
  return typeof value === 'string' ? value.trim() : ''
}

/** Returns the library's message, which omits values such as the authorization code. */
function failureReason(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  // The provider's error code, such as `invalid_grant`.
  const name =
    'error' in error && typeof error.error === 'string' ? ` (${error.error.slice(0, MAX_ERROR_CODE_CHARACTERS)})` : ''
  const why = error.cause instanceof Error ? `: ${failureReason(error.cause)}` : ''
  return `${error.message}${name}${why}`
}

/** Whether the provider was unreachable, as opposed to refusing the sign-in. */
function isUnreachable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error.name === 'TimeoutError') return true
  return error instanceof TypeError || (error.cause !== undefined && isUnreachable(error.cause))
}
