import { BODY_BYTES, formRequest, createList, repeatText, uploadRequest } from '../requests.js'
import { HEAVY_TEXTS } from '../texts.js'

const LONG_TEXT = 'x'.repeat(BODY_BYTES - 1_000)
const INVALID_PICTURE = { name: 'a.png', content: Buffer.alloc(1_000_000, 'x') }

/** For administrators' endpoints. @param {import('../known.js').Known} known @returns {import('../known.js').Inputs} */
export function organizationInputs({ users, groups, folder, folders, linkifier, linkifiers, playground }) {
  const setting = { direct_members: users.slice(0, 20_000), direct_subgroups: groups }
  const pattern = `(?P<id>${repeatText('(?:a*){9}', 950)})`
  const url_template = `https://a.b/${repeatText('{id}', 900)}`
  return {
    updateRealm: [
      formRequest('permissions for everyone', 'PATCH /realm', {
        can_create_public_channel_group: { new: setting },
        can_delete_any_message_group: { new: setting },
      }),
      formRequest('long description', 'PATCH /realm', { description: LONG_TEXT }),
      formRequest('long welcome message', 'PATCH /realm', {
        welcome_message_custom_text: HEAVY_TEXTS['formulas']?.slice(0, 8_000),
      }),
    ],
    createDataExport: 'runs in the background, so later requests would seem slower',
    deactivateRealm: 'the other requests need the organization',
    updateUserSettingsDefaults: [
      formRequest('long value', 'PATCH /realm/user_settings_defaults', { default_language: LONG_TEXT }),
    ],
    uploadIcon: [uploadRequest('invalid image', 'POST /realm/icon', INVALID_PICTURE)],
    uploadLogo: [uploadRequest('invalid image', 'POST /realm/logo', INVALID_PICTURE, { night: false })],
    getCustomEmoji: [formRequest('maximum count', 'GET /realm/emoji')],
    uploadCustomEmoji: [uploadRequest('invalid image', 'POST /realm/emoji/worst', INVALID_PICTURE)],
    getLinkifiers: [formRequest('maximum count', 'GET /realm/linkifiers')],
    addLinkifier: [
      formRequest('expanding pattern', 'POST /realm/filters', { pattern, url_template }),
      formRequest('long', 'POST /realm/filters', {
        pattern: 'x'.repeat(1_000_000),
        url_template: 'x'.repeat(1_000_000),
      }),
    ],
    updateLinkifier: [formRequest('expanding pattern', `PATCH /realm/filters/${linkifier}`, { pattern, url_template })],
    removeLinkifier: [formRequest('one of many linkifiers', `DELETE /realm/filters/${linkifier}`)],
    reorderLinkifiers: [
      formRequest('all', 'PATCH /realm/linkifiers', { ordered_linkifier_ids: linkifiers.toReversed() }),
    ],
    getChannelFolders: [formRequest('maximum count', 'GET /channel_folders', { include_archived: true })],
    createChannelFolder: [
      formRequest('expensive description', 'POST /channel_folders/create', {
        name: 'Worst',
        description: HEAVY_TEXTS['formulas']?.slice(0, 1_000),
      }),
    ],
    updateChannelFolder: [formRequest('long', `PATCH /channel_folders/${folder}`, { description: LONG_TEXT })],
    reorderChannelFolders: [
      formRequest('all', 'PATCH /channel_folders', { order: folders.toReversed() }),
      formRequest('too many folders', 'PATCH /channel_folders', { order: createList(49_000, (index) => index + 1) }),
    ],
    addRealmDomain: [
      formRequest('long', 'POST /realm/domains', { domain: 'a.'.repeat(1_000_000), allow_subdomains: true }),
    ],
    addPlayground: [
      formRequest('long', 'POST /realm/playgrounds', {
        name: 'x'.repeat(100),
        highlighter_language: 'x',
        url_template: `https://a.b/${'{code}'.repeat(300_000)}`,
      }),
    ],
    removePlayground: [formRequest('one of many playgrounds', `DELETE /realm/playgrounds/${playground}`)],
  }
}
