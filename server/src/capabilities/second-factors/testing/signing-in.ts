import { Secret, TOTP } from 'otpauth'
import { expect, vi } from 'vitest'
import * as z from 'zod/mini'
import { cookiesOf, signIn, type TestBrowser } from '../../../testing/browser.ts'
import { textLike } from '../../../testing/expected.ts'
import { callApi, type Answer, type Parameters, type TestUser } from '../../../testing/user.ts'

export const PASSWORD = 'correct horse battery'
export const WRONG_CODE = 'This code is wrong or was already used.'
export const LOGIN_EXPIRED = 'The sign-in expired. Sign in again.'
export const STEP_SECONDS = 30
const PAGE_HEADERS = { 'sec-fetch-site': 'same-origin', 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0' }

/** Stops the clock in the middle of a 30-second step, so that no step ends during the test. */
export function stopClock(): void {
  const now = Math.floor(Date.now() / 1000 / STEP_SECONDS) * STEP_SECONDS + STEP_SECONDS / 2
  vi.useFakeTimers({ toFake: ['Date'], now: now * 1000 })
}

/** Advances the clock, by default to the next step, whose code is unused. */
export function passTime(seconds = STEP_SECONDS): void {
  vi.setSystemTime(Date.now() + seconds * 1000)
}

export async function postFromPage({ url, host }: TestUser, path: string, parameters: Parameters): Promise<Answer> {
  return callApi(url, host, 'POST', path, parameters, { headers: PAGE_HEADERS })
}

export async function logIn(user: TestUser, password = PASSWORD): Promise<Answer> {
  return postFromPage(user, '/login', { username: user.email, password })
}

export function codeOf(secret: unknown, secondsAhead = 0): string {
  const totp = new TOTP({ secret: Secret.fromBase32(String(secret)) })
  return totp.generate({ timestamp: Date.now() + secondsAhead * 1000 })
}

interface FactorSetup {
  readonly browser: TestBrowser
  readonly secret: string
  readonly recoveryCodes: readonly string[]
}

export async function setUpFactor(user: TestUser, password = PASSWORD): Promise<FactorSetup> {
  const browser = await signIn(user)
  const { secret } = await browser.call('POST', '/second_factor', { password })
  const { recovery_codes: codes } = await browser.call('POST', '/second_factor/confirm', { code: codeOf(secret) })
  passTime()
  return { browser, secret, recoveryCodes: codes }
}

export function tokenIn(answer: Answer, kind = 'code'): string {
  expect([answer.status, answer.body['msg']]).toEqual([200, ''])
  expect(cookiesOf(answer)).toEqual({})
  expect(answer.body['second_factor']).toEqual({ kind, token: textLike(/^[\w-]{43}$/) })
  return z.looseObject({ token: z.string() }).parse(answer.body['second_factor']).token
}

export function expectRefusal(answer: Answer, code: string, message: string): void {
  expect([answer.body['code'], answer.body['msg']]).toEqual([code, message])
  expect(cookiesOf(answer)).toEqual({})
}
