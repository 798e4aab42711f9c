"""Names of columns in public registers, surveys and trials, which say nothing to those who do not know them, and the
words of registers in Portuguese and Italian.

Each entry names what the column is about; where the names come from is said above it. A = in front means the whole
name, without its signs.
"""

from __future__ import annotations

from fairveil.run.suggestions.topic_words import Topic

REGISTERS = (
    # American Community Survey (PUMS), also as IPUMS and the NIST excerpts have it
    Topic("ground", 4, "age", "=agep =ageu =ridageyr =ridagemn =ageatt =nuidade =nuidaden =idadeanos"),
    Topic("ground", 4, "race, colour or origin",
          "=rac1p =rac2p =rac3p =racblk =racwht =racasn =hisp =hispan =pobp =yoep =waob =natvty =ridreth1 =ridreth3 "
          "=racacor =racecd =hispyn =blgetmg =ethnic =tpcorraca =csraca"),
    Topic("ground", 4, "nationality",
          "=cit =citwp =lanp =lanx =dmdcitzn =dmdborn =dmdborn4 =ctzcntr =facntr =mocntr"),
    Topic("ground", 4, "marital status", "=mar =msp =marst =dmdmartl =dmdmartz =marhm =tpestadocivil =estciv"),
    Topic("ground", 4, "sex or gender", "=riagendr =sexp =tpsexo =cssexo =cdsexo =gndr"),
    Topic("life", 4, "school or studies",
          "=schl =sch =schg =fod1p =dmdeduc =dmdeduc2 =dmdeduc3 =educd =eisced =edulvlb =csescoln =esc2010"),
    Topic("life", 4, "work",
          "=cow =esr =wkhp =wkw =wkwn =occp =indp =indpcat =socp =naicsp =jwtr =jwtrns =jwmnp =mil =nwlk =wrk =dvet "
          "=mnactic =mainact =emplrel =uemp3m =uemp12m =prestg80 =prestg10 =spwrksta =ocupmae"),
    Topic("life", 4, "family and home",
          "=relp =relshipp =relshp =noc =npf =np =nrc =hht =hht2 =hupac =fes =bld =ten =rmsp =bdsp =yrblt =veh "
          "=housingtype =ownrent =density =sibs =childs =hompop =hhmmb =domicil =dmdhhsiz =dmdfmsiz"),
    Topic("money", 4, "money",
          "=pincp =hincp =fincp =wagp =semp =ssp =ssip =pap =retp =intp =oip =pernp =povpip =pincpdecile =grntp =valp "
          "=indhhin2 =indfmpir =indfmin2 =hinctnta =rincome =income06 =income16 =realinc =satfin =finrela =coninc"),
    Topic("belief", 4, "a disability or pregnancy",
          "=dis =dphy =drem =deye =dear =ddrs =dout =drat =dratx =ridexprg =csgestant"),
    Topic("health", 4, "health",
          "=hicov =hins1 =hins2 =hins3 =hins4 =privcov =pubcov =genhlth =physhlth =menthlth =poorhlth =hlthpln1 "
          "=persdoc2 =medcost =checkup1 =bphigh4 =toldhi2 =cvdinfr4 =cvdcrhd4 =cvdstrk3 =asthma3 =chcocncr =havarth3 "
          "=addepev2 =diabete3 =smoke100 =smokday2 =exerany2 =flushot6 =hivtst6 =bmi5 =bmxwt =bmxht =bmxbmi =bmxwaist "
          "=bpxsy1 =bpxdi1 =bpxsy2 =bpxdi2 =lbxtc =lbxglu =lbxgh =hlthhmp =causabas =tipobito =linhaa =linhab =linhac "
          "=lococor =assistmed =classifin =suportven =uti =garganta =saturacao =dispneia =perdolfa =perdpala =diarreia "
          "=vomito =fadiga =cardiopati =pneumopati =renal =imunodepre =obesidade =hepatica =neurologic =asma "
          "=diabetes =hematologi =sinddown =evolucao =antiviral"),
    Topic("weight", 5, "sampling weights",
          "=pwgtp =wgtp =wtint2yr =wtmec2yr =wtint4yr =wtmec4yr =wtintprp =wtmecprp =wtsaf2yr =wtdrd1 =wtdr2d "
          "=llcpwt =finalwt =wtssnr =wtsscomp =pweight =adjinc =adjhsg"),
    Topic("plain", 5, "how people were asked and measured",
          "=sialang =siaproxy =siaintrp =fialang =fiaproxy =fiaintrp =mialang =miaproxy =miaintrp =aialanga =ridstatr "
          "=ridexmon =sddsrvyr =bmdstats =bmiwt =bmiht =bmihead =bmirecum =bmileg =bmicalf =bmiarml =bmiarmc =bmiwaist "
          "=bmihip race+source ethnicity+source age+source location+precision location+accuracy"),
    Topic("unit", 4, "how people were drawn", "=sdmvpsu =sdmvstra =vstrat =vpsu =ststr"),
    Topic("politics", 4, "politics or union membership",
          "=partyid =polviews =pres12 =pres16 =pres20 =prtvtgb =clsprty =cappun =gunlaw =grass =lrscale =vote12 "
          "=vote16"),
    Topic("belief", 4, "religion or belief",
          "=relig =relig16 =reliten =attend =postlife =rlgdgr =rlgatnd =rlgblg =pray =spkath =spkcom =spkhomo"),
    Topic("score", 4, "scores, marks and opinions",
          "=happy =hapmar =satjob =stflife =stfeco =stfgov =trstprl =trstplt =trstplc =ppltrst =pplfair =imsmetn "
          "=imdfetn =natspac =natenvir =nathealy =abany =abdefect =xmarsex =premarsx =homosex =letin1 =fepol =fear"),
    # trials (CDISC) and hospital systems (OMOP, Synthea)
    Topic("health", 4, "a trial",
          "aeterm aedecod aebodsys aesev aeser aerel aeout aetoxgr lbtest lbtestcd lborres lbstresn lbstresc lbnrind "
          "lbcat vstest vstestcd vsorres vsstresn mhterm mhdecod cmtrt cmdecod cmindc exdose extrt qstest qsorres "
          "egtest egorres sutrt dsdecod dsterm dthfl param paramcd aval avalc =base =chg =pchg saffl =epoch =trta "
          "=trtp trt01p trt01a trtp trta condition+concept drug+concept measurement+concept observation+concept "
          "procedure+concept value+number reasoncode reasondescription encounterclass"),
    Topic("date", 4, "when something happened to somebody",
          "rfstdtc rfendtc rficdtc dmdtc dthdtc aestdtc aeendtc lbdtc vsdtc exstdtc exendtc cmstdtc trtsdt trtedt "
          "=start =stop =begin =end =finish =startdate =stopdate =dmdy =visitdy =dtnotific =semnot =dtsinpri =dtobito"),
    Topic("ground", 4, "sex or gender", "=prefix =gendersourcevalue =gendershort"),
    Topic("number", -6, "", "concept"),
    Topic("name", 5, "names of people", "=first =last =suffix =maiden =middle =drivers =firstlast =lastfirst"),
    # schools and universities
    Topic("money", 4, "money", "frpl frl frpm freereduced lunch+ever ever+lunch pell fafsa bolsa bolsista bolsas"),
    Topic("ground", 4, "nationality", "=lep =ell =el =lepever =elever english+learner"),
    Topic("belief", 4, "a disability or pregnancy", "sped spec+ed pcd deficiencia"),
    Topic("life", 3, "school or studies",
          "cohort chrt ninth enroll enrolled enrollment enrolment ingresso turma serie curriculo habilitacao graduacao "
          "matriculado ciclo cotas cotista vestibular rede+ensino laurea titolo+studio scuola classe+scuola freshman "
          "sophomore junior+year class+year"),
    Topic("outcome", 4, "what became of somebody",
          "dropout evasao evadido abandono abandon ontime on+track graduated+ontime desistencia desistente trancamento "
          "attrited withdrew withdrawn left+company termd terminated termination fired layoff"),
    Topic("score", 4, "scores, marks and opinions",
          "gifted cra coeficiente+rendimento rendimento media+geral aproveitamento reprovacao reprovado reprovacoes "
          "notas+finais nunota nunotamt nunotacn nunotach nunotalc nunotaredacao"),
    Topic("number", 4, "numbers of people",
          "randno randnum rando rand+no rand+num randomization+number nuinscricao "
          "inscricao numero+matricula matricula+aluno matricula+servidor emp+no empno employee+no "
          "employee+number stu+no stno studentno sid+student clientnum clientid custno"),
    # registers in Portuguese and Italian
    Topic("place", 3, "where somebody lives or is",
          "municip munres codmunres codmunnat munocor nomunicipio sguf ufresidencia naturalidade paisnasc logradouro "
          "nascita+comune luogo residenza provincia+nascita quartiere"),
    Topic("ground", 3, "age",
          "idadeobito nuidade faixaetaria dtnasc data+nascimento data+nasc nascita data+nascita nato =neele =nele "
          "nata anno+nascita date+naiss datenaiss naiss annee+naiss"),
    Topic("ground", 3, "race, colour or origin", "racacor corraca"),
    Topic("ground", 4, "marital status", "estado+conyugal conyugal stato+civile"),
    Topic("life", 3, "work",
          "ocup lotacao orgao+lotacao servidor funcao jornada+trabalho regime+trabalho cargo+efetivo vinculo titulacao "
          "mandat mandato legislatura legislature business+unit pay+zone lengthofservice length+service yrs+service "
          "recruiting+source recruitment+source"),
    Topic("politics", 4, "politics or union membership",
          "fraktion partei+kurz gruppo+parlamentare groupe+politique groupe+parlementaire partito nuance"),
    Topic("crime", 3, "crime",
          "violation violations =search search+person search+driver frisk stop+reason reason+stop "
          "stop+outcome arrest+made warning+issued "
          "search+basis tipo+violencia violencia modalidad+violencia agresor denuncia penal"),
    Topic("health", 3, "health",
          "obito afeccion malattia ricovero diagnosi farmaco decesso esito+ricovero egreso motivo+egreso "
          "derechohabiencia internacao internado gravidez medicacao cirurgia dolore gestacao aborto+espontaneo "
          "puerperio neoplasia vacinado dose+vacina"),
    # figures of an area, which say nothing of a person but where they live
    Topic("place", 6, "figures of an area",
          "=pop population =popn pop+density population+density county+income tract+income zip+income city+income "
          "neighborhood+income neighbourhood+income median+income county+bucket nat+bucket poverty+rate =pov urate "
          "unemployment+rate crime+rate area+income county+poverty census+tract share+white share+black share+hispanic "
          "pct+white pct+black pct+hispanic percent+white percent+black percent+hispanic iso+code"),
    # Demographic and Health Surveys
    Topic("weight", 5, "sampling weights", "=v005 =hv005 =mv005 =d005 =v005a"),
    Topic("ground", 4, "age", "=v010 =v011 =v012 =v013 =hv105 =mv012 =mv013"),
    Topic("ground", 4, "sex or gender", "=hv104 =hv219 =b4"),
    Topic("ground", 4, "marital status", "=v501 =v502 =mv501"),
    Topic("ground", 4, "race, colour or origin", "=v131 =mv131"),
    Topic("belief", 4, "religion or belief", "=v130 =mv130"),
    Topic("place", 4, "where somebody lives or is", "=v024 =v025 =v101 =v102 =hv024 =hv025 =mv024 =mv025"),
    Topic("life", 4, "school or studies", "=v106 =v107 =v133 =v149 =hv106 =hv107 =hv108 =hv109 =mv106"),
    Topic("life", 4, "family and home",
          "=v136 =v137 =v150 =v151 =v201 =v202 =hv009 =hv101 =hv201 =hv205 =hv206 =hv207 =hv208 =hv213 =hv214 =hv215"),
    Topic("date", 4, "when something happened to somebody", "=v006 =v007 =v008 =hv006 =hv007 =hv008"),
    Topic("unit", 4, "how people were drawn", "=v001 =v021 =v022 =v023 =hv001 =hv021 =hv022 =hv023"),
    Topic("money", 4, "money", "=v190 =v191 =hv270 =hv271"),
    # the French census
    Topic("life", 4, "work", "=cs1 =cs3 =na5 =na17 =na38 =empl =tact =tp =ilt =trans =gsec =profsp"),
    Topic("life", 4, "school or studies", "=diplm =iletud =etud"),
    Topic("life", 4, "family and home",
          "=nperr =nenfr =lprm =lprf =typmr =sfm =couple =surf =chfl =hlml =stocd =typl =typmc =cmbl =voit =nbpi "
          "=anarr =anemr =achl"),
    Topic("ground", 4, "nationality", "=naidt =inatc =immi"),
    # units of measurement and time, and versions of codes
    Topic("plain", 7, "units of measurement",
          "age+unit ageunit =unit =units result+unit dose+unit unit+concept value+unit"),
    Topic("score", 6, "scores, marks and opinions", "openness+experience openess+experience"),
    Topic("score", 6, "absences",
          "absent+hour absent+hours absenthour absenthours absence+hours absent+days days+absent absence+days "
          "absenteeism+time absenteeism+hours hours+absent sick+days sickdays days+late"),
    Topic("number", 5, "numbers of people", "hash hashed id+hash hash+id pseudonym pseudo+id anonymous+id anon+id"),
    Topic("money", 3, "money", "stipendio rimborso spesa remuneracao rendimentos proventos vencimento desconto"),
)  # fmt: skip
