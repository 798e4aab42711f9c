"""Words of columns that nobody may learn about a person, of decisions, and of how data was collected."""

from __future__ import annotations

from fairveil.run.suggestions.topic_words import Topic

SECRET = (
    # what hurts when it is known
    Topic("health", 3, "health",
            "health hlth disease diseases illness ill sick sickness condition diagnosis diagnose diagnostic "
            "diagnostico diag dx icd icd9 icd10 atc loinc snomed drg symptom pain injury injured injuries inj "
            "wound burn trauma hiv aids cancer tumor tumour tumeur carcinoma leukemia melanoma metastasis "
            "malignant stage node nodes diabetes diabetic stroke angina infarction chol cholesterol pressure bp "
            "sbp dbp systolic diastolic hypertension heartrate pulse hr ecg ekg bmi obese obesity overweight "
            "glucose insulin hemoglobin hematocrit platelet albumin bilirubin creatinine triglycerides trig ast "
            "alt wbc rbc crp hba ldl hdl serum plasma lab blood urine liver kidney lung heart cardiac renal "
            "hepatic hepatitis hepato edema ascites spiders copper protime asthma copd allergy infection virus "
            "covid vaccine vaccinated immunization fever cough wheeze treatment treat treated trt rx therapy chemo "
            "chemotherapy hormone hormon radiation radiotherapy surgery surgical surg operation transplant "
            "medication medicine drug dose dosage medicament prescription placebo hospital hospitalised "
            "hospitalized hospitalization hosp clinic doctor physician nurse emergency visits mdvis medicaid "
            "medicare medical comorbidity charlson adl chronic acute mental depression depressed anxiety "
            "psychiatric suicide stress ptsd cesd psych schizophrenia autism bipolar smoke smoker smoking cigs "
            "cigarettes tobacco alcohol drink drinks drinking drunk alcoholic addiction drugs heroin marijuana "
            "cannabis opioid birthweight bwt bwght lowbirthweight premature premie gestation weeks+gest meno "
            "menopause menopausal lactation breastfeeding miscarriage fertility infertile parity gravida death "
            "dead died dies mortality survival survived survive survtime deceased cause+death relapse recur "
            "recurrence remission complication limitation krankheit krankheitstage krankheiten befund arzt "
            "medikament behandlung therapie blutdruck blutzucker gesundheit tod verstorben maladie malade "
            "traitement tension glycemie sante deces decede sang medecin enfermedad tratamiento salud medicamento "
            "muerte fallecido tabaco allergie impfung triceps mitoses nuclei biopsy pathology histology "
            "grade+tumor receptor vessel vessels thal cd4 viral hyper hypten gest seizure epilepsy exercise+angina "
            "chest sleep calories diet headache migraine amputation airbag+injury severity bleed bleeding stent "
            "catheter intubated ventilator icu patient+class anesthesia lesion fracture ulcer bili alk phos ggt "
            "tsh psa ecog karno karnofsky ejection echo mri scan xray leucocyte leukocyte erythrocyte thrombocyte "
            "haemoglobin haematocrit hgb hct mch mchc mcv wcc rcc ferr ferritin sodium potassium calcium iron "
            "vitamin urea uric lipid lipids fev spirometry oxygen saturation temperature respiratory breathing "
            "dementia alzheimer parkinson updrs mmse adhd cognitive dental teeth blind deaf eczema rash itch "
            "itching dysuria vaginal lymph abdominal abdpain vomiting nausea diarrhea anemia anaemia sepsis shock "
            "coma cpr los procedure comorbid waist nutrition smk smok packyrs alcoh alco alc beer wine drinker "
            "sober marijua cocaine injection needle overdose mgus cirrhosis afp tnm metastases lymphocyte "
            "neutrophil preterm apgar newborn neonatal cesarean bfeed fatigue vision hearing psoriasis alopecia "
            "thrush polydipsia polyphagia urination healing stiffness irritability phosphatase phosphokinase hyp "
            "chcond physlim ndisease docvis hospvis badh krank schmerz raucher rauchen alkohol blutgruppe "
            "pflegegrad pflegestufe fumeur tabac alcool douleur imc hopital chirurgie vaccin symptome fumador "
            "hipertension obesidad asma neumonia inmusupr tabaquismo intubado uci hospitalizado sintomas defuncion "
            "alergia dolor abuse substance steroid steroids prophylaxis"),
    Topic("health", 5, "health",
            "birth+weight weight+loss wt+loss weight+gain birthwt health+status mental+health cause+death "
            "blood+pressure"),
    Topic("health", 1.5, "a trial",
            "arm armcd actarm baseline followup futime censor censored cnsr randomized randfl ittfl visit trta "
            "trtan"),
    Topic("genes", 4, "genes",
            "gene genes genetic genotype allele snp dna rna mutation brca pedigree chromosome haplotype apoe apoc "
            "ccr"),
    Topic("money", 3, "money",
            "income earnings earn earned wage wages salary salaries pay payroll lwage wealth asset assets saving "
            "savings debt loan loans mortgage mort credit balance account accounts bankrupt bankruptcy default "
            "delinquent delinq delinquency liens tax taxes capital gain loss amount payment payments paid "
            "installment interest+rate rate+interest expense expenses expenditure expend spending spend budget "
            "cost costs price fee fees charges charge+total fare rent benefit benefits pension welfare transfer "
            "transfers allowance bonus revenue turnover networth net+worth einkommen gehalt bruttogehalt lohn "
            "verdienst schulden kredit kontostand saldo betrag kosten preis vermogen miete umsatz steuer revenu "
            "revenus salaire dette montant cout prix solde impot loyer epargne ingreso ingresos salario sueldo "
            "deuda importe precio coste gasto gastos renta ahorro impuesto credito checking financial finance "
            "poverty foodstamp foodstamps insurance insured health+insurance limit utilization property+magnitude "
            "property existing+credits rich standard+living lsalary lincome inc faminc hhinc hhincome appinc re "
            "hhninc loginc linc totexp expenditures ctc compensation bill tip tips purchase purchases sales profit "
            "invoice premium premiums claim claims deductible reimbursement cash spent overdraft overdrawn fico "
            "repayment borrower lender collateral stock stocks bonds equity invest investment investments dividend "
            "nettfa subsidy donation donations ses socioeconomic deprivation imd poor brutto netto nettoeinkommen "
            "bruttolohn jahresgehalt monatslohn pramie zulage kreditbetrag remuneration patrimoine monto cuota "
            "prestamo hipoteca ganancia remuneracion exptot poorer totmed freelunch"),
    Topic("money", 5, "money",
            "interest+rate rate+interest credit+score credit+rating"),
    Topic("crime", 4, "crime",
            "crime crimes criminal offense offence offences convicted conviction convictions arrest arrests "
            "arrested prison jail priors felony felon misdemeanor misd fel charge charges recid recidivism "
            "recidivist sentence sentenced probation parole victim violence violent homicide murder robbery "
            "assault theft police juv juvenile straftat vorstrafe delit condamnation prision delito condena gang "
            "weapon gun owngun force+type custody offend offender offenses offended detained detention inmate bail "
            "guilty verdict bullying bullied convict"),
    Topic("politics", 4, "politics or union membership",
            "vote voted voter votes voting party partyid pid7 ideology ideolog liberal conservative democrat "
            "republican election candidate bush clinton obama trump political politics politik partei wahl parti "
            "politique voto partido politico union unions unionized gewerkschaft syndicat sindicato member+union "
            "leftright polint polviews lrscale lrself endorsed endorsement referendum senator gop"),
    Topic("sexlife", 4, "sex life",
            "sexual sexually affair affairs contraceptive contraception contracept condom abortion intercourse "
            "sexpartners npartner npartners virgin prostitution unsafe+sex std sti gonorrhea syphilis verhutung "
            "aborto avortement birth+control marriage+rate rate+marriage age+first+sex first+sex sex+partners stds "
            "hpv herpes condylomatosis molluscum chlamydia"),
    Topic("score", 3, "scores, marks and opinions",
            "score scores grade grades gpa sat act exam test tests mark marks rating ratings rate evaluation eval "
            "beurteilung leistung note+schule punkte zeugnis puntuacion nota+examen performance percentile decile "
            "iq ability attitude opinion satisfaction satisfied happy happiness trust agree approval feeling "
            "thermometer confidence worry like prefer preference likert item answer answers response question "
            "belief personality involvement engagement motivation wellbeing mood anger rank+exam math reading "
            "verbal news read write writing science socst vocab vocabulary knowledge memory attention visual piq "
            "viq satv satq satm psat lsat gmat gre toefl cgpa percentage hsgpa colgpa quiz homework important "
            "importance concern concerned views attractiveness esteem efficacy extraversion neuroticism "
            "conscientiousness agreeableness openness interest interested satis satisf recommend recommends "
            "recommendation recommended mathscr antisoc hyperact tmathssk treadssk prestige grammar absent "
            "absences"),
    Topic("score", 4.5, "scores",
            "score scores"),
    Topic("health", 3, "health",
            "gcs glasgow nyha killip gfr egfr spo vital vitals analyte specimen assay biomarker antigen antibody "
            "titer titre culture resistance pathogen bacterial malaria tb tuberculosis influenza measles polio "
            "cholera dengue parasite vaccination booster triage acuity disposition+discharge discharge+destination "
            "ventilation intubation dialysis transfusion transfused incision bruising choking falls self+harm "
            "restraint safeguarding neglect frail frailty nursing carehome care+home hospice palliative presc famhx "
            "fam+hist fam+history family+history onset prognosis progression toxicity adverse ae aesev conmed "
            "regimen adherence inhaler statin aspirin antibiotic antibiotics blocker methadone detox rehab caries "
            "plaque denture myopia iop retinopathy cataract glaucoma gravidity menarche menses menstr ivf csection "
            "caesarean forceps delivery+mode mode+delivery feeding stillbirth consult consultation consultations "
            "amnesia consciousness skull brain concussion vomit gleason morphology morphologie grading lokalisation "
            "metastasen rezidiv strahlentherapie bestrahlung chemotherapie operiert narkose hauptdiagnose "
            "nebendiagnose medikation dosis wirkstoff verordnung arznei arzneimittel pflege reha krankschreibung "
            "krankmeldung arbeitsunfahigkeit unfall sportunfall verletzung sucht suchtproblematik attest impfstatus "
            "raucherstatus nikotin korpertemperatur puls todesursache vitalstatus ald affection ordonnance posologie "
            "arret+travail accident blessure blesse hospitalisation sejour deces tabagisme toxicomanie antecedents "
            "antecedentes allergies pouls urgencia urgencias consulta lesion accidente herida receta farmaco "
            "baja+laboral periodontitis alergias odontologia parto tabaquismo alcoholismo drogas presion pulso pcs "
            "mcs phq gad hads moca panss hamd madrs bdi barthel apache sofa saps troponin lactate cortisol inr aptt "
            "asat alat qtc qrs ecg medicalcondition weightloss physical+activity bodyfat body+fat steps kcal "
            "sick+leave krankengeld prenatal antenatal postnatal contacts+doctor dvisits hvisits ofp sbpressure "
            "amputated ulceration ln+positive lymphnode gsp+score ldlc hdlc tg tc hbp dm ef lvef hba1c hbac "
            "psychosis psychotic delirium suicidal selfharm impulsive attention+deficit hyperactive nascet stenosis "
            "aneurysm embolism thrombosis disch+disp discharge+disp admission+reason reason+admission "
            "motif+admission motivo+consulta motivo+ingreso mode+sortie entlassgrund aufnahmeanlass aufnahmegrund "
            "krankenkasse mutuelle obra+social cig cigs smokes puffs neck trunk lowback upextr lowextr shoulder knee "
            "ankle wrist spine extremity bodypart body+part limb chd cad htn ckd chf pvd afib tia hypo hyperthyroid "
            "pituitary tumour+size asa psqi ess hrql qol eq5d sf12 sf36 vas nrs cycle+day ovulation period+pain ndc "
            "ghq scghq sclfsat entlassungsart aufnahmeart versicherungsart doenca sintoma hospitalizacao obito febre "
            "tosse dispneia saturacao vacina cardiopatia gestante puerpera evolucao hbv hcv hdv cld hepb hepc"),
    Topic("health", 5, "health",
            "motif+admission mode+sortie motivo+ingreso reason+admission admission+reason disch+disp discharge+disp "
            "homeless+history age+onset famhx family+history sick+leave arret+travail cause+admission mh+condition "
            "mh+diagnosed employer+mh mh+coworkers mh+benefits mental+health"),
    Topic("genes", 4, "genes",
            "mut mutant mutated wildtype hla karyotype polygenic prs heterozygous homozygous methylation"),
    Topic("money", 3, "money",
            "remit remittance remittances arrears arrear kaltmiete warmmiete nebenkosten regelsatz leistungsbetrag "
            "zuschuss beihilfe sozialhilfe arbeitslosengeld kindergeld rente beitrag honorar provision rechnung "
            "rechnungsbetrag zahlung mahnstufe inkasso schufa bonitat dispo zins zinssatz tilgung vermogenswerte "
            "remboursement rembourse indemnise indemnite indemnisation franchise cotisation prime allocation rsa "
            "facture decouvert endettement pago factura tarifa subsidio presupuesto nomina prestacion prestaciones "
            "indemnizacion moroso impago costo entitlement voucher stipend gross payrate disposable consumption "
            "food+exp exp+food expend+food apr dti ltv revol inquiries inq tradelines dpd chargeoff collections "
            "foreclosure card cards atm mcc merchant transaction txn deposit deposits withdrawal portfolio ira hmo "
            "annuity tithe wealth+index asset+index snap wic tanf food+security foodsec food+insecurity hunger "
            "savings+band bonus+malus schadenfreiheitsklasse beca becas bourse boursier comedor cantine fsm "
            "pupil+premium free+lunch lunch+status burgergeld amnt fundedamnt salary+band entgeltgruppe "
            "besoldungsgruppe lohngruppe pay+grade payband hinc annual+inc annincome famincome lowincome earnings74 "
            "earn74 earns household+income monthly+income reste+charge scholarship+amt scholarship+amount tuition "
            "aid+financial financial+aid labinc hrwage hrlywage repwage nonlabinc tot+exp hhexp pcexp lnexp logexp "
            "expfood earliest+cr cr+line open+acc pub+rec total+acc revolving term+loan loan+purpose renda "
            "salario+minimo inkomen reddito lack+food food+lack food+shortage"),
    Topic("crime", 4, "crime",
            "contraband frisk frisked search+conducted search+performed search+vehicle citation warrant plea dui dwi "
            "misconduct fraud fraudulent incest rape raped stalking harassment firearm knife hatecrime "
            "fuhrungszeugnis vorstrafen delikt haft haftdauer urteil verurteilt bewahrung bussgeld infraction amende "
            "casier peine detenu recidive victime detenido pena carcel victima infraccion reincidencia acquitted "
            "dismissed+case grievance accused accusation defendant+guilty victimized victimised victimization"),
    Topic("politics", 4, "politics or union membership",
            "brexit partisan partisanship ideol newspaper wahlabsicht zweitstimme erststimme parteipraferenz "
            "gewerkschaftsmitglied betriebsrat syndique afiliacion sindical votechoice votelast votelr presvote "
            "immigration+attitude prochoice prolife"),
    Topic("score", 3, "scores, marks and opinions",
            "notas noten nota moyenne+generale promedio calificacion calificaciones puntaje bewertung zensur klausur "
            "prufung examen aptitude lifesat nps csat stress+score burnout fehltage fehlzeiten fehlstunden faltas "
            "ausencias absence absenteeism truancy tardies suspension suspensions expulsion expulsiones disciplinary "
            "conduct verweis redoublant repetidor wiederholer retained attendance lernstand leseverstandnis "
            "exam+score verbalreasoning appraisal abschlussnote final+grade course+grade knowledge+score "
            "iqscore"),
    Topic("sexlife", 6, "sex life",
            "age+first+sex first+sex sex+partners"),
    Topic("score", 6, "satisfaction",
            "jobsat job+sat jsat job+satisfaction work+satisfaction"),
    Topic("health", 6, "growth",
            "body+mass mass+index bodymassindex height+age ht+age weight+age wt+age height+for+age"),
    Topic("score", 5, "marks",
            "degree+perc degree+percentage degree+pct ssc+p hsc+p school+percentage perc"),
    Topic("outcome", 6, "why somebody left",
            "motif+depart reason+leaving leaving+reason exit+reason reason+exit termination+reason reason+termination "
            "term+reason separation+reason motivo+salida motivo+baja austrittsgrund kundigungsgrund abgangsgrund"),
    # what is decided
    Topic("decision", 3.5, "a decision about somebody",
            "decision approved approve approval granted grant hired hire admit deny denied reject rejected "
            "accepted accept rejection callback promoted promotion readmitted readmission recid recidivism "
            "released release entscheidung bewilligt befordert abgelehnt accorde concedido aprobado decide awarded "
            "parole+granted selected refusal received+callback loan+status passed"),
    Topic("decision", 3.5, "an outcome",
            "=class =classes =target target+variable target+class =label =labels outcome =y survived =result churn "
            "default =income readmit defaulted churned exited attrition =purchased =bought =left =success "
            "resultat resultado ergebnis two+year+recid placed placement"),
    Topic("decision", 3.5, "a decision about somebody",
            "disposition promociona promovido titula bestanden versetzt bescheid genehmigt anerkannt empfehlung "
            "verdict resolucion concedida admis octroye stranded underwriting uw+decision"),
    Topic("plain", 3, "how the data was collected",
            "split fold train partition version =source dataset batch essround edition sample+set mode+interview "
            "language+interview lot plate reagent "
            "studyid study+id protocol questionnaire+version "
            "survey+version import"),
)  # fmt: skip
