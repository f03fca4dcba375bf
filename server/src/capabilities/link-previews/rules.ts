import type { OrganizationState } from '../../kernel/projection.ts'
import { toSingleLine } from '../../platform/html/text.ts'
import { escapeHtml } from '../../platform/markdown/escape.ts'
import { isPictureAddress } from '../../platform/markdown/extensions/previewable-links.ts'
import { settingOf } from '../organizations/queries/index.ts'
import { MAX_FILE_NAME_CHARACTERS, THUMBNAIL_FORMATS } from '../uploads/contract.ts'

export function showsImagePreviews(organization: OrganizationState): boolean {
  return settingOf(organization, 'inline_image_preview')
}

export function showsPagePreviews(organization: OrganizationState): boolean {
  return settingOf(organization, 'inline_url_embed_preview')
}

export function previewableUrls(organization: OrganizationState, addresses: readonly string[]): readonly string[] {
  return addresses.filter((address) =>
    isPictureAddress(address) ? showsImagePreviews(organization) : showsPagePreviews(organization),
  )
}

export interface PreviewPicture {
  /** Unguessable, so that only readers of a message can load the image. */
  readonly name: string
  readonly width: number
  readonly height: number
  readonly contentType: string
  readonly isAnimated: boolean
}

export interface ShownPreview {
  readonly url: string
  readonly title: string
  readonly description: string
  readonly picture: PreviewPicture | undefined
}

/** Start of the first preview. The renderer writes no such elements: it escapes text and shows only uploaded images. */
const FIRST_PREVIEW_START = /\n<div class="message_embed">|\n<div class="message_inline_image"><a href="https?:/i

export function removePreviews(html: string): string {
  const end = html.search(FIRST_PREVIEW_START)
  return end === -1 ? html : html.slice(0, end)
}

export function appendPreviews(html: string, previews: readonly ShownPreview[]): string {
  return removePreviews(html) + previews.map(previewHtml).join('')
}

function previewHtml(preview: ShownPreview): string {
  if (preview.title !== '') return `\n${pagePreviewHtml(preview)}`
  return preview.picture === undefined ? '' : `\n${imagePreviewHtml(preview.url, preview.picture)}`
}

function imagePreviewHtml(url: string, picture: PreviewPicture): string {
  const { width, height, contentType, isAnimated } = picture
  const known =
    `data-original-dimensions="${width}x${height}" data-original-content-type="${escapeHtml(contentType)}" ` +
    (isAnimated ? 'data-animated="true" ' : '')
  return (
    `<div class="message_inline_image"><a href="${escapeHtml(url)}" title="${escapeHtml(fileNameInUrl(url))}">` +
    `<img ${known}src="${pictureUrl(picture)}"></a></div>`
  )
}

/** Clients expect the image as a background, next to a text link to the same page. */
function pagePreviewHtml({ url, title, description, picture }: ShownPreview): string {
  const href = escapeHtml(url)
  const name = escapeHtml(title)
  const image =
    picture === undefined
      ? ''
      : `<a class="message_embed_image" href="${href}" aria-hidden="true" tabindex="-1" ` +
        `style="background-image: url(&quot;${pictureUrl({ ...picture, isAnimated: false })}&quot;)"></a>`
  const words = description === '' ? '' : `<div class="message_embed_description">${escapeHtml(description)}</div>`
  return (
    `<div class="message_embed">${image}<div class="data-container">` +
    `<div class="message_embed_title"><a href="${href}" title="${name}">${name}</a></div>${words}</div></div>`
  )
}

/** Returns a URL on this server, so that readers contact no other server. */
function pictureUrl({ name, isAnimated }: PreviewPicture): string {
  const format = THUMBNAIL_FORMATS.find(({ animated }) => animated === isAnimated)
  return `/external_content/${name}/${format?.name ?? ''}`
}

function fileNameInUrl(url: string): string {
  const last = new URL(url).pathname.split('/').at(-1) ?? ''
  try {
    return toSingleLine(decodeURIComponent(last), MAX_FILE_NAME_CHARACTERS)
  } catch {
    return last
  }
}
