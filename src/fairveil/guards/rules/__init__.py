"""Guards against discriminatory rules: lift measures, alpha-protection, its search region, redlining."""
