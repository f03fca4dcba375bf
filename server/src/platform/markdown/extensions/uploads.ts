import type { MarkdownIt, StateCore, Token } from 'markdown-it'
import { escapeHtml } from '../escape.ts'
import { jobOf } from '../job.ts'
import type { KnownUpload } from '../job.ts'
import { tokenAt, TokenData } from '../tokens.ts'

export const MAX_PREVIEWS_PER_MESSAGE = 24

const UPLOADS_PATH = '/user_uploads/'
const UPLOAD_PATTERN = /^\/user_uploads\/([^?#]+)$/
const IMAGE_PATTERN = /\.(?:avif|bmp|gif|jpe?g|png|webp)$/i
const VIDEO_PATTERN = /\.(?:m4v|mov|mp4|webm)$/i
const RECORDING_PATTERN = /\.(?:3gp|m4a|og[agv]|weba)$/i

const previewData = new TokenData<UploadLink>()

export function uploadsExtension(md: MarkdownIt): void {
  md.core.ruler.push('uploads', findUploads)
  md.renderer.rules['upload_preview'] = (tokens, index, _options, env) => {
    const link = previewData.of(tokenAt(tokens, index))
    return renderPreview(link, jobOf(env).uploadPreviews.get(link.pathId))
  }
  // Marks audio files whose extension can also mean video.
  md.renderer.rules['link_open'] = (tokens, index, options, env, renderer) => {
    const token = tokenAt(tokens, index)
    const { uploadPreviews } = jobOf(env)
    const path = uploadPreviews.size === 0 ? undefined : UPLOAD_PATTERN.exec(String(token.attrGet('href')))?.[1]
    const pathId = decodePath(path ?? '')
    const isAmbiguous = VIDEO_PATTERN.test(pathId) || RECORDING_PATTERN.test(pathId)
    if (isAmbiguous && uploadPreviews.get(pathId) === 'audio') token.attrSet('data-media', 'audio')
    return renderer.renderToken(tokens, index, options)
  }
}

function findUploads(state: StateCore): void {
  if (!state.tokens.some(({ children }) => children?.some(isUploadLink))) return
  const job = jobOf(state.env)
  let quotes = 0
  let previews = 0
  state.tokens = state.tokens.flatMap((token, index, tokens) => {
    if (token.type === 'blockquote_open') quotes++
    if (token.type === 'blockquote_close') quotes--
    // Previews follow the end of a paragraph, whose text is the previous token.
    const text = token.type === 'paragraph_close' ? tokens[index - 1] : token.type === 'inline' ? token : undefined
    const links = uploadLinks(text?.children ?? [])
    for (const { pathId } of links) job.linkedUploads.add(pathId)
    if (!job.previews || quotes > 0 || token.type !== 'paragraph_close') return [token]
    const shown = links.filter(hasPreview).slice(0, MAX_PREVIEWS_PER_MESSAGE - previews)
    previews += shown.length
    return [token, ...shown.map((link) => previewToken(state, link))]
  })
}

function isUploadLink(token: Token): boolean {
  return token.type === 'link_open' && String(token.attrGet('href')).startsWith(UPLOADS_PATH)
}

interface UploadLink {
  readonly href: string
  readonly pathId: string
  readonly title: string
}

function uploadLinks(children: readonly Token[]): UploadLink[] {
  return children.flatMap((token, index) => {
    const href = token.type === 'link_open' ? String(token.attrGet('href')) : ''
    const pathId = decodePath(UPLOAD_PATTERN.exec(href)?.[1] ?? '')
    if (pathId === '') return []
    const name = pathId.slice(pathId.lastIndexOf('/') + 1)
    return [{ href, pathId, title: token.info === 'auto' ? name : linkLabel(children, index) || name }]
  })
}

function linkLabel(children: readonly Token[], index: number): string {
  const end = children.findIndex((token, other) => other > index && token.type === 'link_close')
  const words = children.slice(index + 1, end).map((token) => token.content)
  return words.join('').trim()
}

function decodePath(path: string): string {
  try {
    const decoded = decodeURIComponent(path)
    return decoded.split('/').some((part) => part === '' || part === '.' || part === '..') ? '' : decoded
  } catch {
    return ''
  }
}

function hasPreview({ pathId }: UploadLink): boolean {
  return IMAGE_PATTERN.test(pathId) || VIDEO_PATTERN.test(pathId) || RECORDING_PATTERN.test(pathId)
}

function previewToken(state: StateCore, link: UploadLink): Token {
  return previewData.attach(new state.Token('upload_preview', '', 0), link)
}

function renderPreview(link: UploadLink, known: KnownUpload | undefined): string {
  const kind =
    known ?? (VIDEO_PATTERN.test(link.pathId) ? 'video' : RECORDING_PATTERN.test(link.pathId) ? 'none' : undefined)
  if (kind === 'none' || kind === 'audio') return ''
  const href = escapeHtml(link.href)
  const title = escapeHtml(link.title)
  if (kind === 'video') {
    return (
      `<div class="message_inline_image message_inline_video"><a href="${href}" title="${title}">` +
      `<video preload="metadata" src="${href}"></video></a></div>\n`
    )
  }
  const facts = kind
    ? `data-original-dimensions="${kind.width}x${kind.height}" data-original-content-type="${escapeHtml(kind.contentType)}" ${kind.isAnimated ? 'data-animated="true" ' : ''}`
    : ''
  const src = escapeHtml(kind?.src ?? link.href)
  return `<div class="message_inline_image"><a href="${href}" title="${title}"><img ${facts}src="${src}"></a></div>\n`
}
