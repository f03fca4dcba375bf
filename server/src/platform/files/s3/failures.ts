import { FileGoneError, StoreUnavailableError, StoreFullError } from '../store.ts'
import type { S3Address } from './address.ts'

const STORE_FULL_CODES =
  /^(?:QuotaExceeded|InsufficientStorage|InsufficientCapacity|StorageFull|X\w*(?:StorageFull|QuotaExceeded))$/
const WRONG_LOGIN_CODES = /^(?:SignatureDoesNotMatch|InvalidAccessKeyId|InvalidToken|ExpiredToken|NotSignedUp)$/
const OTHER_REGION_CODES =
  /^(?:PermanentRedirect|TemporaryRedirect|AuthorizationHeaderMalformed|IllegalLocationConstraintException)$/
const NOT_FOUND_STATUS = 404
const NO_SPACE_STATUS = 507
const MIN_SERVER_ERROR_STATUS = 500

/** Translates an error. Requests contain no user input, so an unknown error means that the store is unavailable. */
export function translateFailure(error: unknown, { name, region }: S3Address): unknown {
  if (!(error instanceof Error) || isAlreadyTranslated(error)) return error
  const { code, status } = readErrorResponse(error)
  if (status === NO_SPACE_STATUS || STORE_FULL_CODES.test(code)) return new StoreFullError(`${name} is full`)
  if (code === 'NoSuchBucket') return new StoreUnavailableError(`${name} does not exist`, true)
  if (code === 'NoSuchKey' || status === NOT_FOUND_STATUS) return new FileGoneError(`a file is not in ${name}`)
  if (WRONG_LOGIN_CODES.test(code))
    return new StoreUnavailableError(`${name} rejects AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY`, true)
  if (code === 'RequestTimeTooSkewed')
    return new StoreUnavailableError(`the clocks of ${name} and this machine differ`, true)
  if (OTHER_REGION_CODES.test(code)) return new StoreUnavailableError(`${name} is not in the region ${region}`, true)
  if (status !== undefined && status < MIN_SERVER_ERROR_STATUS)
    return new StoreUnavailableError(`${name} rejects the request: ${code} (${status})`, true)
  // Omits the error itself, which includes the request.
  return new StoreUnavailableError(
    `${name} is unavailable: ${status === undefined ? failureReason(error) : `${code} (${status})`}`,
  )
}

function isAlreadyTranslated(error: Error): boolean {
  return (
    error instanceof StoreUnavailableError ||
    [TypeError, RangeError, ReferenceError].some((kind) => error.constructor === kind)
  )
}

function readErrorResponse(error: Error): { readonly code: string; readonly status: number | undefined } {
  const metadata = '$metadata' in error ? error.$metadata : undefined
  const isAnswer = typeof metadata === 'object' && metadata !== null && 'httpStatusCode' in metadata
  const status = isAnswer && typeof metadata.httpStatusCode === 'number' ? metadata.httpStatusCode : undefined
  return { code: /^\w{1,64}$/.test(error.name) ? error.name : 'Unknown', status }
}

function failureReason(error: Error): string {
  if (error.name === 'AbortError' || error.name === 'TimeoutError') return 'it did not respond in time'
  if (error instanceof AggregateError)
    return error.errors.map((one) => (one instanceof Error ? one.message : '')).join('; ')
  return error.message
}
