/** What a proof is given. */
export interface ProofWorld {
  /** The npm tarball of this checkout. */
  readonly tarball: string;
  /** Folder that is removed when all proofs are done. */
  readonly folder: string;
  /** Folder whose files are kept: logs. */
  readonly logFolder: string;
}

/** Something that a stranger can do with the package, done here as they would. */
export interface Proof {
  /** What holds when it passes. */
  readonly name: string;
  /** Throws when it does not hold. */
  run(world: ProofWorld): Promise<void>;
}
