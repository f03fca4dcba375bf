import { LinkifyIt, REBuilder } from 'linkify-it'
import type { MarkdownIt } from 'markdown-it'

/** Excludes domains that resemble file endings or fields: `main.rs`, `notes.md`, `user.name`. */
const BARE_LINK_DOMAINS =
  'com org net edu gov int mil info biz pro app dev io co me tv ai chat cloud online site tech blog news wiki xyz ' +
  'museum coop aero jobs asia ' +
  'ac ad ae ar at au ba bd be bg bh bo br by ca ch ci cl cn cr cu cy cz de dk dz ec ee eg es et eu fi fr ga ge gh ' +
  'gr gt hk hn hr hu ie il iq ir it jo jp ke kg kr kw kz lb li lk lt lu lv ly ma mk mn mt mx my ng ni nl no np ' +
  'nz om pa pe ph pk pt qa ro ru sa sd se sg si sk sn su sv sy th tn tr tw tz ua ug uk us uy uz ve vn ye za zw'

/** Searching for URLs takes as long as all other work, and most texts contain none. */
const MAY_BE_ADDRESS = /(?:https?|mailto):|\.\S/i

/** Accepts hosts beyond registered names: `my_bucket.s3.storage.example`, `http://my_service:8080`. */
class Hosts extends REBuilder {
  override get_url_host_port(): RegExp {
    const letter = this.get_pseudo_letter().source
    const label = `(?:(?:${letter}|_)(?:[-_]|${letter}){0,61}${letter}|${letter})`
    const host = `(?:${this.get_ipv6_url_host().source}|(?:${label}\\.){0,10}${label})`
    return (this.cache['url_host_port'] ??= new RegExp(
      host + this.get_port().source + this.get_host_terminator().source,
    ))
  }
}

/** The first part was matched as a host: `:x@` in `https://ann:x@example.com`. */
const REST_OF_LOGIN = /(?::[^\s/?#@]{0,300})?@/y

const web = {
  validate(text: string, pos: number, { re }: LinkifyIt): number {
    const validator = re.get_http_validator()
    validator.lastIndex = pos
    const [found = ''] = validator.exec(text) ?? []
    REST_OF_LOGIN.lastIndex = pos + found.length
    // Rejected because the link would lead to another host than the URL.
    return REST_OF_LOGIN.test(text) ? 0 : found.length
  },
}

export function bareLinks(md: MarkdownIt): void {
  md.set({ linkify: true })
  md.linkify = new LinkifyIt({ fuzzyLink: true, fuzzyEmail: true, urlAuth: true, rebuilder: new Hosts() })
  md.linkify.add('http:', web).add('https:', web).add('ftp:', null).add('//', null)
  md.linkify.tlds(BARE_LINK_DOMAINS.split(' '))
  const match = md.linkify.match.bind(md.linkify)
  md.linkify.match = (text) => match(text) ?? []
  // The library's own test misses URLs after an underscore, as in `_https://example.com_`.
  md.linkify.test = (text) => MAY_BE_ADDRESS.test(text)
}
