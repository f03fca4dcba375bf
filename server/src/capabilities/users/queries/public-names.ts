import { createHmac } from 'node:crypto'
import type { OrganizationState, Projection } from '../../../kernel/projection.ts'
import { escapeHtml } from '../../../platform/markdown/escape.ts'
import { PUBLIC_NAME_FORMS, type PublicNameForm } from '../../organizations/contract/settings.ts'
import { settingOf } from '../../organizations/queries/index.ts'
import { generatedAvatarPath } from '../contract/index.ts'
import { avatarPath, userById, userSetting, usersProjection, type UserRow } from './index.ts'

/* Names and pictures that people without an account see. */

const FIRST_WORDS =
  'Agile Amber Azure Bold Brave Bright Brisk Bronze Calm Candid Cheerful Clever Coral Cosmic Crimson Curious Daring Eager Early Elegant Emerald Fabled Fair Fearless Festive Fleet Frank Fresh Friendly Frosty Gentle Gilded Glad Golden Graceful Grand Green Happy Hardy Hazel Hidden Honest Humble Indigo Ivory Jade Jolly Jovial Keen Kind Lively Loyal Lucid Lucky Lunar Mellow Merry Mighty Misty Modest Nimble Noble Olive Opal Patient Pearl Placid Playful Plucky Polar Polite Proud Quick Quiet Rapid Rosy Ruby Russet Rustic Sage Sandy Scarlet Serene Shining Silent Silver Sincere Smooth Snowy Solar Spry Steady Stellar Sunny Swift Tidy Tranquil Trusty Upbeat Urban Velvet Violet Vivid Warm Wild Wise Witty Young Zesty'.split(
    ' ',
  )
const SECOND_WORDS =
  'Acorn Alder Ant Aspen Badger Bear Beaver Bee Birch Bison Bluebell Bramble Brook Bunting Butterfly Canyon Cedar Cherry Clover Comet Condor Cormorant Cove Crane Cricket Crow Curlew Daisy Deer Delta Dolphin Dove Dragonfly Dune Eagle Egret Elk Elm Falcon Fern Finch Firefly Fjord Forest Fox Gannet Garnet Gecko Glacier Goose Grouse Grove Gull Harbor Hare Hawk Heath Hedgehog Heron Hill Holly Hornet Ibis Island Ivy Jackdaw Juniper Kestrel Kingfisher Kite Koala Lagoon Lake Lark Laurel Lemur Lily Linden Lion Lizard Llama Lynx Magpie Maple Marmot Marten Meadow Mole Moose Moss Moth Mountain Newt Nightingale Oak Ocelot Orchid Oriole Osprey Otter Owl Panda Panther Parrot Peacock Pelican Penguin Pine Plover Poplar Poppy Puffin Quail Rabbit Raven Reef Ridge River Robin Rook Rowan Salmon Seal Shore Shrike Sparrow Spruce Squirrel Starling Stoat Stork Stream Swallow Swan Tern Thistle Thrush Tiger Toad Trout Tulip Turtle Valley Vole Walnut Warbler Whale Willow Wolf Wombat Wren Yew Zebra'.split(
    ' ',
  )

/** Secret from which pseudonyms are made. It is in no event and no export, so nobody can derive a pseudonym from an ID. */
export const pseudonymSeedProjection: Projection<{ seed: string }, never> = {
  name: 'pseudonym_seed',
  takesRights: () => false,
  empty: () => ({ seed: '' }),
  async load(state, db, organizationId) {
    const row = await db
      .selectFrom('organization_settings')
      .select('pseudonym_seed')
      .where('organization_id', '=', organizationId)
      .executeTakeFirstOrThrow()
    state.seed = row.pseudonym_seed
  },
  apply: () => undefined,
}

/** Returns the more private of the forms that the organization and the person chose. Bots keep their names. */
function publicNameForm(organization: OrganizationState, user: UserRow): PublicNameForm {
  if (user.botType !== null) return 'full'
  const chosen = [settingOf(organization, 'public_names'), userSetting(user, 'public_name')]
  return PUBLIC_NAME_FORMS.findLast((form) => chosen.includes(form)) ?? 'full'
}

/** Whether people without an account may see names other than those that members see. */
export function hidesNames(organization: OrganizationState): boolean {
  return (
    settingOf(organization, 'public_names') !== 'full' ||
    [...organization.of(usersProjection).byId.values()].some((user) => userSetting(user, 'public_name') !== 'full')
  )
}

export function publicName(organization: OrganizationState, user: UserRow): string {
  const form = publicNameForm(organization, user)
  if (form === 'full') return user.fullName
  return (form === 'given' ? givenName(user.fullName) : undefined) ?? pseudonymOf(organization, user.id)
}

/** A picture could show the person, and its address the number of pictures before it. */
export function publicAvatarPath(organization: OrganizationState, user: UserRow): string {
  return publicNameForm(organization, user) === 'pseudonym' ? generatedAvatarPath(user.id, 1) : avatarPath(user)
}

function pseudonymOf(organization: OrganizationState, userId: number): string {
  const { seed } = organization.of(pseudonymSeedProjection)
  const digest = createHmac('sha256', seed).update(String(userId)).digest()
  const word = (words: readonly string[], at: number): string => words[digest.readUInt32BE(at) % words.length] ?? ''
  return `${word(FIRST_WORDS, 0)} ${word(SECOND_WORDS, 4)}`
}

const FAMILY_FIRST = /\p{scx=Han}|\p{scx=Hira}|\p{scx=Kana}|\p{sc=Hangul}/u

/** Returns undefined if the name has no part that is surely the given name. */
export function givenName(fullName: string): string | undefined {
  if (fullName.includes('@')) return undefined
  const [before = '', after] = fullName.split(',')
  // Leaves out titles and initials, such as “Dr.” and “J.”.
  const words = (after ?? before).split(/\s+/).filter((word) => word !== '' && !word.endsWith('.'))
  if (FAMILY_FIRST.test(fullName)) return words.length > 1 ? words.at(-1) : undefined
  return words[0]
}

const MENTION_PATTERN = /(<span class="user-mention(?: silent)?" data-user-id="(\d+)">)(@?)([^<]*)(?=<\/span>)/g

/** Shows the public names of mentioned people in rendered Markdown. */
export function withPublicNames(organization: OrganizationState, html: string): string {
  return html.replace(MENTION_PATTERN, (mention, start: string, id: string, sign: string) => {
    const name = mentionedName(organization, Number(id))
    return name === undefined ? mention : start + sign + escapeHtml(name)
  })
}

/** Shows the public names of mentioned people in Markdown, whose rendered form tells who is meant. */
export function markdownWithPublicNames(organization: OrganizationState, markdown: string, html: string): string {
  const mentions = [...html.matchAll(MENTION_PATTERN)]
  if (mentions.length === 0) return markdown
  const ids = new Map(mentions.map(([, , id, , name = '']) => [name, Number(id)]))
  return markdown.replace(/(@_?\*\*)([^*\n]+?)(?:\|(\d+))?(?=\*\*)/g, (mention, sign: string, given: string, id) => {
    const userId = id === undefined ? ids.get(escapeHtml(given)) : Number(id)
    const name = userId === undefined ? undefined : mentionedName(organization, userId)
    return name === undefined ? mention : `${sign}${name}|${userId}`
  })
}

/** Returns undefined if the mention can show the name that it was written with. */
function mentionedName(organization: OrganizationState, userId: number): string | undefined {
  const user = userById(organization, userId)
  if (user === undefined) return pseudonymOf(organization, userId)
  return publicNameForm(organization, user) === 'full' ? undefined : publicName(organization, user)
}
