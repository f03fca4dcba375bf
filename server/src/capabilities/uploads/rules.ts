import { createHmac } from 'node:crypto'
import { createRequire } from 'node:module'
import { detectMedia } from '../../platform/files/media.ts'
import type * as MediaTypes from 'mime-types'
import type { OrganizationState } from '../../kernel/projection.ts'
import { ApiError } from '../../kernel/refusal.ts'
import { countCodePoints } from '../../kernel/schemas.ts'
import { isSameSecret } from '../../platform/tokens/tokens.ts'
import { mayReadMessage } from '../channels/rules/index.ts'
import type { Member } from '../groups/rules.ts'
import { MAX_FILE_NAME_CHARACTERS, TEMPORARY_URL_SECONDS } from './contract.ts'

export interface LinkingMessages {
  readonly channelId: number | null
  readonly readerIds: readonly number[] | null
  readonly messageIds: readonly number[]
  readonly datesSent: readonly number[]
}

/** Whether the member is the uploader, or can read a message that links to the file. */
export function mayFetchFile(
  organization: OrganizationState,
  member: Member,
  file: { readonly ownerId: number },
  linkedBy: readonly LinkingMessages[],
): boolean {
  if (file.ownerId === member.userId) return true
  return linkedBy.some(({ channelId, readerIds, messageIds }) =>
    messageIds.some((id) => mayReadMessage(organization, member, { id, channelId, readerIds })),
  )
}

/** In characters. Keeps paths within the router's limit even if escaping turns each letter into twelve characters. */
const MAX_URL_FILE_NAME_CHARACTERS = 70
const MAX_EXTENSION_CHARACTERS = 10

export function displayFileName(given: string): string {
  const base = given
    .toWellFormed()
    .normalize('NFC')
    .replace(/^.*[/\\]/su, '')
  // Removes characters that change the text direction, because they could disguise the extension.
  const name = base.replace(/[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu, '').trim()
  if (countCodePoints(name) > MAX_FILE_NAME_CHARACTERS) {
    throw new ApiError('BAD_REQUEST', `File name is too long (limit: ${MAX_FILE_NAME_CHARACTERS} characters)`)
  }
  return name === '' || /^\.+$/.test(name) ? 'uploaded-file' : name
}

/** Returns a file name for use in URLs, with the same extension. The full name is stored separately. */
export function urlFileName(name: string): string {
  // Replaces characters that are special in Markdown or would be escaped in URLs.
  const fit = [...name.replace(/[^\p{L}\p{M}\p{N}._-]+/gu, '-').replace(/^[.-]+/, '')]
  if (fit.length <= MAX_URL_FILE_NAME_CHARACTERS) return fit.length === 0 ? 'uploaded-file' : fit.join('')
  const dot = fit.lastIndexOf('.')
  const extension = fit.length - dot <= MAX_EXTENSION_CHARACTERS ? fit.slice(dot) : []
  return [...fit.slice(0, MAX_URL_FILE_NAME_CHARACTERS - extension.length), ...extension].join('')
}

const MEDIA_TYPE_PATTERN = /^[\w.+-]{1,60}\/[\w.+-]{1,60}$/
const INLINE_CONTENT_TYPES = new Set([
  'image/avif',
  'image/bmp',
  'image/gif',
  'image/jpeg',
  'image/png',
  'image/webp',
  'audio/3gpp',
  'audio/aac',
  'audio/flac',
  'audio/mp4',
  'audio/mpeg',
  'audio/ogg',
  'audio/wav',
  'audio/webm',
  'video/3gpp',
  'video/mp4',
  'video/ogg',
  'video/quicktime',
  'video/webm',
  'text/plain',
])

const loadModule = createRequire(import.meta.url)

/** Returns the type for the file name or, if unknown, the type that the client declared. */
export function contentTypeOf(name: string, given: string): string {
  // Loaded lazily, because the library's table takes 9 ms to load.
  const { lookup } = loadModule('mime-types') as typeof MediaTypes
  const known = lookup(name)
  if (known !== false) return known
  const type = given.toLowerCase()
  return MEDIA_TYPE_PATTERN.test(type) ? type : 'application/octet-stream'
}

const RECORDING_CONTAINERS: Readonly<Record<string, string>> = {
  'audio/3gpp': '3gpp',
  'video/3gpp': '3gpp',
  'audio/mp4': 'mp4',
  'video/mp4': 'mp4',
  'audio/ogg': 'ogg',
  'video/ogg': 'ogg',
  'video/quicktime': 'quicktime',
  'audio/webm': 'webm',
  'video/webm': 'webm',
}

/** Corrects the type of a recording according to whether the file contains video. */
export async function detectContentType(path: string, contentType: string): Promise<string> {
  const container = RECORDING_CONTAINERS[contentType]
  const media = container === undefined ? undefined : await detectMedia(path)
  if (container === undefined || media === undefined) return contentType
  return media === 'audio' && container === 'quicktime' ? 'audio/mp4' : `${media}/${container}`
}

/** Returns undefined for types that browsers do not play. */
export function mediaKindOf(contentType: string): 'audio' | 'video' | undefined {
  const [kind = ''] = contentType.split('/')
  return isShownInline(contentType) && (kind === 'audio' || kind === 'video') ? kind : undefined
}

const PICTURE_CONTENT_TYPES = ['image/avif', 'image/gif', 'image/jpeg', 'image/png', 'image/webp']

export function isPicture(contentType: string): boolean {
  return PICTURE_CONTENT_TYPES.includes(contentType)
}

/** Whether browsers may display files of this type, which must not be able to run scripts. */
export function isShownInline(contentType: string): boolean {
  return INLINE_CONTENT_TYPES.has(contentType)
}

/** Small enough to be searched and marked quickly, and within PostgreSQL's limits of a search vector. */
const PART_CHARACTERS = 4_000
/** Phrases up to this length are found even if they cross the end of a part. */
const OVERLAP_CHARACTERS = 200

/** Splits a text with single spaces into overlapping parts, between words if possible. */
export function splitText(text: string): string[] {
  const parts: string[] = []
  let start = 0
  while (start < text.length) {
    const end = wordBoundary(text, start + PART_CHARACTERS)
    parts.push(text.slice(start, end))
    start = end === text.length ? end : wordBoundary(text, end - OVERLAP_CHARACTERS)
  }
  return parts
}

function wordBoundary(text: string, at: number): number {
  if (at >= text.length) return text.length
  const space = text.lastIndexOf(' ', at)
  if (space > at - OVERLAP_CHARACTERS) return space
  const isInPair = (text.charCodeAt(at) & 0xfc00) === 0xdc00
  return isInPair ? at - 1 : at
}

export interface TemporaryPass {
  readonly attachmentId: number
  readonly userId: number
  readonly expires: number
}

const TOKEN_PATTERN = /^(\d{1,15})\.(\d{1,15})\.(\d{1,15})\.([\w-]{43})$/

export function createPass(attachmentId: number, userId: number, now: number): TemporaryPass {
  return { attachmentId, userId, expires: now + TEMPORARY_URL_SECONDS }
}

export function signPass(signingKey: string, pass: TemporaryPass): string {
  const text = `${pass.attachmentId}.${pass.userId}.${pass.expires}`
  return `${text}.${createHmac('sha256', signingKey).update(text).digest('base64url')}`
}

export function passFromToken(signingKey: string, token: string, now: number): TemporaryPass | undefined {
  const [, attachmentId, userId, expires] = TOKEN_PATTERN.exec(token)?.map(Number) ?? []
  if (attachmentId === undefined || userId === undefined || expires === undefined) return undefined
  const pass = { attachmentId, userId, expires }
  return isSameSecret(token, signPass(signingKey, pass)) && now <= expires ? pass : undefined
}
