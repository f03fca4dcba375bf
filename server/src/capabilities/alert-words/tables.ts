import '../../kernel/tables.ts'

declare module '../../kernel/tables.ts' {
  interface Tables {
    alert_words: {
      organization_id: number
      user_id: number
      word_key: string
      word: string
      id: number
    }
  }
}
