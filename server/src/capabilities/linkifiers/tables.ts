import '../../kernel/tables.ts'

declare module '../../kernel/tables.ts' {
  interface Tables {
    realm_linkifiers: {
      organization_id: number
      id: number
      pattern: string
      url_template: string
      /** Of all the organization's linkifiers, from 0. */
      position: number
    }
  }
}
