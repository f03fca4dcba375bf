import type { MarkdownIt } from 'markdown-it'

/**
 * Domains that make a word without `http://` a link. Left out are those that people who talk about code write as file
 * endings or fields: `main.rs`, `notes.md`, `run.sh`, `app.py`, `user.name`, `user.id`.
 */
const BARE_LINK_DOMAINS =
  'com org net edu gov int mil info biz pro app dev io co me tv ai chat cloud online site tech blog news wiki xyz ' +
  'museum coop aero jobs asia ' +
  'ac ad ae ar at au ba bd be bg bh bo br by ca ch ci cl cn cr cu cy cz de dk dz ec ee eg es et eu fi fr ga ge gh ' +
  'gr gt hk hn hr hu ie il iq ir it jo jp ke kg kr kw kz lb li lk lt lu lv ly ma mk mn mt mx my ng ni nl no np ' +
  'nz om pa pe ph pk pt qa ro ru sa sd se sg si sk sn su sv sy th tn tr tw tz ua ug uk us uy uz ve vn ye za zw'

/**
 * What every address has somewhere, of the kinds that are left below. Searching for addresses takes as long as all the
 * rest, and most texts have none.
 */
const MAY_BE_ADDRESS = /(?:https?|mailto):|\.\S/i

/** Addresses written as they are become links: with a scheme, or as a bare domain or e-mail address. */
export function bareLinks(md: MarkdownIt): void {
  md.set({ linkify: true })
  md.linkify.add('ftp:', null)
  md.linkify.add('//', null)
  md.linkify.set({ fuzzyLink: true, fuzzyEmail: true })
  md.linkify.tlds(BARE_LINK_DOMAINS.split(' '))
  const test = md.linkify.test.bind(md.linkify)
  md.linkify.test = (text) => MAY_BE_ADDRESS.test(text) && test(text)
}
