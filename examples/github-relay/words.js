/* Formats GitHub events as messages. Payloads follow "GitHub event types" in GitHub's documentation. */

/**
 * @typedef {object} GitHubEvent @property {string} id @property {string} type @property {{ login: string }} actor
 * @property {{ name: string }} repo @property {Payload} payload
 */

/**
 * @typedef {object} Payload @property {string} [action] @property {string | null} [ref] a branch or a tag
 * @property {string} [ref_type] @property {string} [before] a commit
 * @property {string} [head] a commit
 * @property {{ sha: string, message: string }[]} [commits] @property {Thing} [issue] @property {Thing} [pull_request]
 * @property {{ html_url: string, body: string }} [comment]
 * @property {{ html_url: string, tag_name: string, name: string | null }} [release]
 */

/** @typedef {{ number: number, title?: string, html_url?: string, merged?: boolean }} Thing an issue or pull request */
/** @typedef {{ topic: string, content: string }} Words */

const SITE = 'https://github.com'
/** Longer text is truncated. The server limits topics to 60 characters. */
const TEXT_CHARACTERS = 300
const TOPIC_CHARACTERS = 60
const COMMITS = 10

/** @type {Readonly<Record<string, (payload: Payload, repository: string) => Words | undefined>>} */
const MESSAGES_BY_TYPE = {
  PushEvent: ({ ref, before, head, commits = [] }, repository) => {
    const branch = `${ref}`.replace(/^refs\/heads\//, '')
    const compared = link('pushed', `${SITE}/${repository}/compare/${before}...${head}`)
    const items = commits.slice(0, COMMITS).map(({ sha, message }) => {
      return `\n- ${link(sha.slice(0, 7), `${SITE}/${repository}/commit/${sha}`)} ${escapeMarkdown(message.split('\n')[0] ?? '')}`
    })
    const more = commits.length > COMMITS ? `\n- and ${commits.length - COMMITS} more` : ''
    return { topic: branch, content: `${compared} to ${escapeMarkdown(branch)}${items.join('')}${more}` }
  },
  CreateEvent: ({ ref, ref_type }) =>
    ref_type === 'repository'
      ? undefined
      : { topic: `${ref}`, content: `created the ${escapeMarkdown(`${ref_type} ${ref}`)}` },
  DeleteEvent: ({ ref, ref_type }) => ({
    topic: `${ref}`,
    content: `deleted the ${escapeMarkdown(`${ref_type} ${ref}`)}`,
  }),
  IssuesEvent: ({ action, issue }, repository) => messageAbout(action, issue, repository, 'issues'),
  PullRequestEvent: ({ action, pull_request: pull }, repository) =>
    messageAbout(action === 'closed' && pull?.merged === true ? 'merged' : action, pull, repository, 'pull'),
  IssueCommentEvent: ({ action, issue, comment }) => {
    if (action !== 'created' || issue === undefined || comment === undefined) return undefined
    return { topic: titleOf(issue), content: `${link('commented', comment.html_url)}:\n${quote(comment.body)}` }
  },
  ReleaseEvent: ({ action, release }) => {
    if (action !== 'published' || release === undefined) return undefined
    const name = release.name || release.tag_name
    return { topic: name, content: `published ${link(name, release.html_url)}` }
  },
}

/** @param {GitHubEvent} event @returns {Words | undefined} undefined for events that are not posted */
export function messageFor({ type, actor, repo, payload }) {
  const words = Object.hasOwn(MESSAGES_BY_TYPE, type) ? MESSAGES_BY_TYPE[type]?.(payload, repo.name) : undefined
  if (words === undefined) return undefined
  return {
    topic: truncate(oneLine(words.topic), TOPIC_CHARACTERS),
    content: `**${escapeMarkdown(actor.login)}** ${words.content}`,
  }
}

/**
 * @param {string | undefined} action @param {Thing | undefined} thing @param {string} repository
 * @param {string} kind path segment in GitHub's URLs @returns {Words | undefined}
 */
function messageAbout(action, thing, repository, kind) {
  if (action === undefined || thing === undefined) return undefined
  const title = titleOf(thing)
  const address = thing.html_url ?? `${SITE}/${repository}/${kind}/${thing.number}`
  return { topic: title, content: `${escapeMarkdown(action)} ${link(title, address)}` }
}

/** @param {Thing} thing */
function titleOf({ number, title }) {
  return title === undefined ? `#${number}` : `#${number} ${title}`
}

/** Escapes Markdown, so that the text cannot mention or link. @param {string} text */
function escapeMarkdown(text) {
  return truncate(oneLine(text), TEXT_CHARACTERS).replace(/[!-/:-@[-`{-~]/g, '\\$&')
}

/** @param {string} text @param {string} address */
function link(text, address) {
  return address.startsWith('https://') && !/[\s()<>]/.test(address)
    ? `[${escapeMarkdown(text)}](${address})`
    : escapeMarkdown(text)
}

/** @param {string} text */
function quote(text) {
  const lines = truncate(text, TEXT_CHARACTERS).split(/\r?\n/)
  return lines.map((line) => `> ${escapeMarkdown(line)}`).join('\n')
}

/** @param {string} text */
function oneLine(text) {
  return text.replace(/\s+/g, ' ').trim()
}

/** @param {string} text @param {number} characters */
function truncate(text, characters) {
  const all = [...text]
  return all.length > characters ? `${all.slice(0, characters - 1).join('')}…` : text
}
